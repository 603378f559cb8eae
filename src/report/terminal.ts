import type { ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import type { Diagnostic, Evaluation, Trajectory, Verdict } from '../schema/generated.ts';
import { renderDuration } from '../util/duration.ts';
import { mapTexts } from '../util/map-texts.ts';
import { printable } from '../util/printable.ts';
import { renderAction } from './action-line.ts';
import { renderReceipt } from './receipt.ts';
import type { StatusLine } from './status-line.ts';
import { renderUsage } from './usage.ts';
import { WorkView } from './work-view.ts';

export interface TerminalOptions {
  readonly chalk: ChalkInstance;
  /** Writes lines, and keeps the line about what is happening now below them. */
  readonly screen: StatusLine;
  /** The verdict alone. */
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/**
 * The loop as lines of text: one block an attempt, the verdict with its receipt at the end. Whatever an event says is
 * shown so that a terminal acts on none of it.
 */
export function createTerminalReporter(options: TerminalOptions): Reporter {
  const view = new TerminalView(options);
  return { on: (event) => view.on(mapTexts(event, printable)) };
}

const LABEL_WIDTH = 11;
const PLACELESS_LINES = 8;

class TerminalView {
  readonly #options: TerminalOptions;
  readonly #work: WorkView;
  #reward = 0;
  #attempt = 0;
  #toldActions = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { chalk, verbose } = options;
    const print = (text: string): void => this.#line('', text);
    this.#work = new WorkView({ chalk, verbose, print, now: (text) => this.#now(text) });
  }

  on(event: RunEvent): void {
    const { quiet } = this.#options;
    if (quiet && event.type !== 'loop_finished' && event.type !== 'warning') return;
    switch (event.type) {
      case 'loop_started':
        return this.#started(event);
      case 'baseline_started':
        return this.#now('baseline: running every check');
      case 'baseline_evaluated':
        return this.#evaluated('baseline', event.evaluation);
      case 'attempt_started':
        this.#attempt = event.iteration;
        return this.#now(`begins${windowNote(event.window)}`);
      case 'progress':
        return this.#now(event.text);
      case 'model_text':
      case 'model_called':
      case 'model_retry':
      case 'model_fallback':
        return this.#work.on(event);
      case 'action':
        this.#toldActions = true;
        return this.#work.on(event);
      case 'actor_finished':
        return this.#acted(event.iteration, event.trajectory);
      case 'tampering_found':
        for (const { detail } of event.tampering)
          this.#line('', this.#options.chalk.yellow(`refused: ${detail}`));
        return undefined;
      case 'evaluation_started':
        return this.#now(
          event.confirm ? 'confirming: everything uncached, then the own test command' : 'evaluating',
        );
      case 'attempt_evaluated':
        return this.#evaluated('', event.evaluation, event.best);
      case 'reflection_written':
        return this.#reflected(event);
      case 'delivered':
        return this.#line('', event.outcome.message);
      case 'warning':
        return this.#line('warning', this.#options.chalk.yellow(event.text));
      case 'loop_finished':
        return this.#finished(event.verdict);
    }
  }

  #started(event: Extract<RunEvent, { type: 'loop_started' }>): void {
    const { chalk } = this.#options;
    this.#raw(`${chalk.bold(event.loopId)}${event.resumed ? ' (resumed)' : ''}`);
    if (event.actor === 'search')
      this.#line('actor', 'search: offline repair, no model, no key. With a model: --model provider/model');
    else this.#line('actor', event.model === undefined ? event.actor : `${event.actor}: ${event.model}`);
    this.#line('task', event.task.split('\n')[0]!);
    const tools = event.project.checks.map(
      (check) => `${check.name} ${check.tool}${check.version === undefined ? '' : ` ${check.version}`}`,
    );
    this.#line('checks', tools.join(' · '));
    if (this.#options.verbose) this.#line('workspace', event.workspace);
  }

  #evaluated(label: string, evaluation: Evaluation, best?: boolean): void {
    const { chalk } = this.#options;
    const change =
      best === undefined
        ? ''
        : ` ${changeOf(evaluation.reward - this.#reward)}${best ? chalk.green(' best') : ''}`;
    if (best === undefined || best) this.#reward = evaluation.reward;
    const paint = evaluation.passed ? chalk.green : chalk.red;
    this.#line(
      label,
      `${paint(`reward ${evaluation.reward.toFixed(3)}`)}${change}  ${evaluation.checks.map(describeCheck).join(' · ')}  ${chalk.dim(renderDuration(evaluation.duration_ms))}`,
    );
    const { fixed, same, new: fresh } = evaluation.delta;
    if (best !== undefined)
      this.#line('', chalk.dim(`failures: ${fixed.length} fixed, ${same.length} same, ${fresh.length} new`));
    if (!evaluation.passed && (best === undefined || this.#options.verbose)) this.#failures(evaluation);
  }

  #failures({ diagnostics }: Evaluation): void {
    const shown = diagnostics.filter(({ severity }) => severity === 'error');
    const limit = this.#options.verbose ? 50 : 6;
    for (const diagnostic of shown.slice(0, limit)) {
      for (const text of describeFailure(diagnostic)) this.#line('', text);
    }
    if (shown.length > limit) this.#line('', `and ${shown.length - limit} more`);
  }

  #acted(iteration: number, trajectory: Trajectory): void {
    const edits = trajectory.actions.filter(({ type }) => /^(code|file)_/.test(type));
    // What was told while it was done is not told again.
    const other = trajectory.actions.filter(
      (action) => this.#options.verbose && !this.#toldActions && !edits.includes(action),
    );
    this.#line(
      `attempt ${iteration}`,
      firstLine(trajectory.message === '' ? trajectory.strategy : trajectory.message),
    );
    for (const action of [...edits, ...other]) this.#line('', firstLine(renderAction(action)));
    this.#toldActions = false;
  }

  #reflected({ path, reflection }: Extract<RunEvent, { type: 'reflection_written' }>): void {
    const { chalk } = this.#options;
    const self = reflection.self_reflection;
    this.#line('reflection', chalk.dim(path));
    this.#line(
      '',
      `${chalk.cyan(self.credit_assignment.failure_category)} (confidence ${self.confidence.toFixed(2)}): ${firstLine(self.credit_assignment.root_cause)}`,
    );
    this.#line('', `next: ${firstLine(self.actionable_insights[0] ?? '')}`);
  }

  #finished(verdict: Verdict): void {
    const { chalk, quiet } = this.#options;
    const word = verdict.verified
      ? chalk.green.bold('VERIFIED')
      : chalk.red.bold(verdict.status === 'aborted' ? 'ABORTED' : 'NOT VERIFIED');
    this.#raw(
      `${word}  reward ${verdict.baseline_reward.toFixed(3)} → ${verdict.reward.toFixed(3)}  ${verdict.reason}`,
    );
    if (quiet) return;
    for (const line of renderReceipt(verdict)) this.#line('', line);
    const usage = renderUsage(verdict.usage);
    if (usage !== '') this.#line('usage', usage);
    for (const line of nextSteps(verdict)) this.#line('next', line);
  }

  #line(label: string, text: string): void {
    const { chalk, screen } = this.#options;
    screen.print(`${chalk.bold(label.padEnd(LABEL_WIDTH))} ${text}`.trimEnd());
  }

  #raw(text: string): void {
    this.#options.screen.print(text);
  }

  #now(text: string): void {
    const where = this.#attempt === 0 ? '' : `attempt ${this.#attempt}, reward ${this.#reward.toFixed(3)}: `;
    this.#options.screen.now(where + firstLine(text));
  }
}

/** One line for a failure with a place; what has none says more, since there is nowhere to look it up. */
function describeFailure({ check, file, line, rule, message }: Diagnostic): string[] {
  const place = file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`;
  const first = `${check}${place}  ${firstLine(rule === undefined ? message : `${rule}: ${message}`)}`;
  if (file !== undefined) return [first];
  const rest = message
    .trimEnd()
    .split('\n')
    .slice(1)
    .filter((text) => text.trim() !== '');
  return [first, ...rest.slice(-PLACELESS_LINES).map((text) => `  ${firstLine(text)}`)];
}

function describeCheck(check: Evaluation['checks'][number]): string {
  if (check.status === 'error') return `${check.name} could not run`;
  if (check.kind === 'tests' && check.total > 0) return `${check.name} ${check.passed}/${check.total}`;
  return check.status === 'pass'
    ? `${check.name} ok`
    : `${check.name} ${check.errors} ${check.errors === 1 ? 'error' : 'errors'}`;
}

function changeOf(difference: number): string {
  if (Math.abs(difference) < 0.0005) return '=';
  return difference > 0 ? `▲ +${difference.toFixed(3)}` : `▼ ${difference.toFixed(3)}`;
}

function windowNote(window: readonly number[]): string {
  return window.length === 0 ? '' : `, told of attempt ${window.join(', ')}`;
}

function firstLine(text: string): string {
  return printable(text.split('\n', 1)[0]!).slice(0, 300);
}

function nextSteps(verdict: Verdict): string[] {
  if (verdict.loop_id === null) return [];
  if (verdict.applied === 'tree') return [`git diff   ralph undo ${verdict.loop_id}`];
  if (verdict.status === 'aborted') return [`ralph resume ${verdict.loop_id}`];
  if (verdict.verified) return [];
  const apply =
    verdict.patch === null
      ? []
      : [`ralph apply ${verdict.loop_id}   takes the best attempt, unverified as it is`];
  return [...apply, `ralph reflections show ${verdict.loop_id}`];
}
