import type { AttemptContext } from '../../ports/attempt.ts';
import type { Action } from '../../schema/generated.ts';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { plural } from '../../platform/text/plural.ts';
import { describeCall, toAction, toCommandAction, toWriteAction } from './tool-action.ts';
import { readToolCall, type FileDiff, type ToolCall } from './tool-call.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

const MAX_ACTIONS = 2000;
const MAX_OPEN_CALLS = 500;
const LAST_MESSAGE_CHARS = 4000;
const TEXT_CHARS = 7000;

type Listeners = Pick<AttemptContext, 'onProgress' | 'onWork'>;

/** The actions and the text of an agent in one attempt, bounded; reported to the listeners as they arrive. */
export class ActionLog {
  readonly #agent: string;
  readonly #scope: WorkspaceScope;
  readonly #listeners: Listeners;
  readonly #actions: Action[] = [];
  readonly #open = new Map<string, ToolCall>();
  readonly #text = new BoundedText(TEXT_CHARS);
  #lastMessage = new BoundedText(LAST_MESSAGE_CHARS);
  #isMessageEnded = false;
  #messageId: string | undefined;
  #notListed = 0;

  constructor(agent: string, scope: WorkspaceScope, listeners: Listeners) {
    this.#agent = agent;
    this.#scope = scope;
    this.#listeners = listeners;
  }

  get actions(): Action[] {
    return this.#actions;
  }

  /** All messages of the agent, and the number of actions beyond the limit. */
  get text(): string {
    const count = this.#notListed;
    const note = count === 0 ? '' : `\n(${plural(count, 'more action')} not listed.)`;
    return `${this.#text.toString().trim()}${note}`;
  }

  /** The last message that is not blank. */
  get lastMessage(): string {
    return this.#lastMessage.toString().trim();
  }

  /** Adds a piece of a message. `messageId`: the id of that message, if the agent sends one. */
  addText(text: string, messageId?: string): void {
    if (text === '') return;
    if (messageId !== this.#messageId) this.endMessage();
    this.#messageId = messageId;
    if (this.#isMessageEnded && text.trim() !== '') {
      this.#lastMessage = new BoundedText(LAST_MESSAGE_CHARS);
      this.#text.append('\n');
      this.#isMessageEnded = false;
    }
    this.#lastMessage.append(text);
    this.#text.append(text);
    this.#listeners.onWork({ type: 'model_text', model: this.#agent, text });
  }

  /** Ends the current message; text that follows starts a new one. */
  endMessage(): void {
    this.#isMessageEnded = true;
  }

  /** Merges an unchecked update of a tool call; returns the call with all updates so far. */
  updateCall(value: unknown): ToolCall | undefined {
    const known = this.#open.get((value as { toolCallId?: string } | undefined)?.toolCallId ?? '');
    const call = readToolCall(value, known);
    if (call === undefined) return undefined;
    this.endMessage();
    if (known === undefined && call.title !== '' && this.#notListed === 0) {
      this.#listeners.onProgress(describeCall(call, this.#scope).slice(0, 200));
    }
    if (call.status === 'completed' || call.status === 'failed') {
      this.#open.delete(call.id);
      this.#add(toAction(call, this.#scope));
    } else {
      this.#keepOpen(call);
    }
    return call;
  }

  /** Adds a file written for the agent: to the open call that edits the file, else as an action. */
  addWrite(diff: FileDiff): void {
    const path = this.#scope.shown(diff.path);
    const call = [...this.#open.values()].find(
      ({ kind, paths }) => kind === 'edit' && paths.some((other) => this.#scope.shown(other) === path),
    );
    if (call === undefined) return this.#add(toWriteAction(diff, this.#scope));
    if (call.diffs.length === 0) this.#open.set(call.id, { ...call, diffs: [diff] });
  }

  /** Adds a command run for the agent: to the open call that runs a command, else as an action. */
  addCommand(command: string, ending: string): void {
    const call = [...this.#open.values()].find(({ kind }) => kind === 'execute');
    if (call === undefined) return this.#add(toCommandAction(command, ending));
    if (call.command === '') this.#open.set(call.id, { ...call, command });
  }

  /** Ends the attempt: adds the calls that were not finished as actions. */
  close(): void {
    for (const call of this.#open.values()) this.#add(toAction(call, this.#scope));
    this.#open.clear();
  }

  #keepOpen(call: ToolCall): void {
    const oldest = this.#open.size >= MAX_OPEN_CALLS ? this.#open.keys().next().value : undefined;
    if (oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(call.id, call);
  }

  #add(action: Action): void {
    if (this.#actions.length >= MAX_ACTIONS) {
      this.#notListed++;
      return;
    }
    this.#actions.push(action);
    this.#listeners.onWork({ type: 'action', action });
  }
}
