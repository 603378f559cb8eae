import type { AttemptContext } from '../../ports.ts';
import type { Action } from '../../schema/generated.ts';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { describeCall, toAction, toCommandAction, toWriteAction } from './tool-action.ts';
import { readToolCall, type FileDiff, type ToolCall } from './tool-call.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

const MAX_ACTIONS = 2000;
const MAX_OPEN_CALLS = 500;
const LAST_WORDS_CHARS = 4000;
const ALL_WORDS_CHARS = 7000;

type Listeners = Pick<AttemptContext, 'onProgress' | 'onWork'>;

/** What an agent did and said in one attempt, bounded, and told as it happens. */
export class WorkLog {
  readonly #agent: string;
  readonly #scope: WorkspaceScope;
  readonly #listeners: Listeners;
  readonly #actions: Action[] = [];
  readonly #open = new Map<string, ToolCall>();
  readonly #words = new BoundedText(ALL_WORDS_CHARS);
  #lastWords = new BoundedText(LAST_WORDS_CHARS);
  #isNewTurn = false;
  #message: string | undefined;
  #leftOut = 0;

  constructor(agent: string, scope: WorkspaceScope, listeners: Listeners) {
    this.#agent = agent;
    this.#scope = scope;
    this.#listeners = listeners;
  }

  get actions(): Action[] {
    return this.#actions;
  }

  /** Everything that the agent said. */
  get words(): string {
    const leftOut = this.#leftOut === 0 ? '' : `\n(${this.#leftOut} more actions are not listed.)`;
    return `${this.#words.toString().trim()}${leftOut}`;
  }

  /** What it said after its last action that was followed by words. */
  get lastWords(): string {
    return this.#lastWords.toString().trim();
  }

  /** `message` is the id of the message that the text is a piece of, where the agent tells one. */
  says(text: string, message?: string): void {
    if (text === '') return;
    if (message !== this.#message) this.endsWords();
    this.#message = message;
    if (this.#isNewTurn && text.trim() !== '') {
      this.#lastWords = new BoundedText(LAST_WORDS_CHARS);
      this.#words.append('\n');
      this.#isNewTurn = false;
    }
    this.#lastWords.append(text);
    this.#words.append(text);
    this.#listeners.onWork({ type: 'model_text', model: this.#agent, text });
  }

  /** What was said ends here; words that follow are new last words. */
  endsWords(): void {
    this.#isNewTurn = true;
  }

  /** Takes in news of a tool call, unchecked; gives what is known of it now. */
  hears(value: unknown): ToolCall | undefined {
    const known = this.#open.get((value as { toolCallId?: string } | undefined)?.toolCallId ?? '');
    const call = readToolCall(value, known);
    if (call === undefined) return undefined;
    this.endsWords();
    if (known === undefined && call.title !== '' && this.#leftOut === 0) {
      this.#listeners.onProgress(describeCall(call, this.#scope).slice(0, 200));
    }
    if (call.status === 'completed' || call.status === 'failed') {
      this.#open.delete(call.id);
      this.#add(toAction(call, this.#scope));
    } else {
      this.#remember(call);
    }
    return call;
  }

  /** A file was written for the agent: part of the open call that edits it, else an action of its own. */
  wrote(diff: FileDiff): void {
    const path = this.#scope.shown(diff.path);
    const call = [...this.#open.values()].find(
      ({ kind, paths }) => kind === 'edit' && paths.some((other) => this.#scope.shown(other) === path),
    );
    if (call === undefined) return this.#add(toWriteAction(diff, this.#scope));
    if (call.diffs.length === 0) this.#open.set(call.id, { ...call, diffs: [diff] });
  }

  /** A command was run for the agent: part of the open call that runs one, else an action of its own. */
  ran(command: string, ending: string): void {
    const call = [...this.#open.values()].find(({ kind }) => kind === 'execute');
    if (call === undefined) return this.#add(toCommandAction(command, ending));
    if (call.command === '') this.#open.set(call.id, { ...call, command });
  }

  /** The attempt is over: calls that nobody finished are actions too. */
  close(): void {
    for (const call of this.#open.values()) this.#add(toAction(call, this.#scope));
    this.#open.clear();
  }

  #remember(call: ToolCall): void {
    const oldest = this.#open.size >= MAX_OPEN_CALLS ? this.#open.keys().next().value : undefined;
    if (oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(call.id, call);
  }

  #add(action: Action): void {
    if (this.#actions.length >= MAX_ACTIONS) {
      this.#leftOut++;
      return;
    }
    this.#actions.push(action);
    this.#listeners.onWork({ type: 'action', action });
  }
}
