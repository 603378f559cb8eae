import type { ChalkInstance } from 'chalk';
import { actorRow } from '../actors.ts';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import type { Evaluation, Trajectory } from '../schema/generated.ts';
import { renderDuration } from '../platform/text/duration.ts';
import { mapTexts } from '../platform/text/map-texts.ts';
import { plural } from '../platform/text/plural.ts';
import { printable } from '../platform/text/printable.ts';
import { renderAction, renderEdit } from './action-line.ts';
import { EndedState } from './end/ended-state.ts';
import { renderEnd, renderVerdict, type EndedRun } from './end/end-screen.ts';
import { nextSteps, type Ended, type NextStep } from './end/next-steps.ts';
import { describeCheck, describeFailure, firstLine, renderChange } from './evaluation-lines.ts';
import { countsOf, renderCounts } from './failure-matrix.ts';
import { samplesLine } from './samples-line.ts';
import type { Line, Screen } from './screen.ts';
import { WorkView } from './work-view.ts';

/** Options of `createTerminalReporter`. */
export interface TerminalOptions {
  readonly chalk: ChalkInstance;
  readonly screen: Screen;
  /** Shows the current state below the lines; gets each event before its lines are printed. */
  readonly live?: Reporter;
  readonly verbose: boolean;
  /** The commands below a verdict. Default: those that hold in the repository of the loop. */
  readonly next?: NextSteps;
}

export type NextSteps = (ended: Ended) => readonly NextStep[];

/**
 * Creates the reporter of `--format text`: a block of lines per attempt, and a summary at the end. Texts of events are
 * made printable, so that they cannot control the terminal.
 */
export function createTerminalReporter(options: TerminalOptions): Reporter {
  const view = new TerminalView(options);
  return {
    on(event) {
      const shown = mapTexts(event, printable);
      try {
        options.live?.on(shown);
      } finally {
        view.on(shown);
      }
    },
  };
}

const LABEL_WIDTH = 11;
/** Maximum rows for the cause, and for the next step, of a reflection. */
const REFLECTION_ROWS = 2;

class TerminalView {
  readonly #options: TerminalOptions;
  readonly #work: WorkView;
  readonly #ended = new EndedState();
  #reward = 0;
  #printedActions = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { chalk, verbose } = options;
    this.#work = new WorkView({ chalk, verbose, print: (text) => this.#line('', text) });
  }

  on(event: RunEvent): void {
    const ended = this.#ended.on(event);
    if (ended !== undefined) return this.#end(ended);
    switch (event.type) {
      case 'loop_started':
        return this.#started(event);
      case 'baseline_evaluated':
        return this.#evaluated('baseline', event.evaluation);
      case 'acceptance_prepared':
        return this.#accepted(event);
      case 'memory_recalled':
        return this.#recalled(event);
      case 'memory_withheld':
        return this.#withheld(event);
      case 'memory_pass':
        return this.#remembered(event);
      case 'model_text':
      case 'model_called':
      case 'model_retry':
      case 'model_fallback':
        return this.#work.on(event);
      case 'action':
        this.#printedActions = true;
        return this.#work.on(event);
      case 'actor_finished':
        return this.#acted(event.iteration, event.trajectory);
      case 'tampering_found':
        for (const { detail } of event.tampering)
          this.#line('', this.#options.chalk.yellow(`refused: ${detail}`));
        return undefined;
      case 'attempt_evaluated':
        return this.#evaluated('', event.evaluation, event.best);
      case 'reflection_written':
        return this.#reflected(event);
      case 'delivered':
        return this.#line('', event.outcome.message);
      case 'warning':
        return this.#line('warning', this.#options.chalk.yellow(event.text));
      default:
        return undefined;
    }
  }

  #started(event: Extract<RunEvent, { type: 'loop_started' }>): void {
    const { chalk } = this.#options;
    this.#options.screen.print({
      head: '',
      text: `${chalk.bold(event.loopId)}${event.resumed ? ' (resumed)' : ''}`,
    });
    const row = actorRow(event.actor);
    if (row?.asks === 'nobody')
      this.#line('actor', `${event.actor}: ${row.label}. With a model: --model provider/model`);
    else this.#line('actor', event.model === undefined ? event.actor : `${event.actor}: ${event.model}`);
    this.#line('task', firstLine(event.task));
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
        : ` ${renderChange(evaluation.reward - this.#reward)}${best ? chalk.green(' best') : ''}`;
    if (best === undefined || best) this.#reward = evaluation.reward;
    const paint = evaluation.passed ? chalk.green : chalk.red;
    this.#line(
      label,
      `${paint(`reward ${evaluation.reward.toFixed(3)}`)}${change}  ${evaluation.checks.map(describeCheck).join(' · ')}  ${chalk.dim(renderDuration(evaluation.duration_ms))}`,
    );
    if (best !== undefined)
      this.#line('', chalk.dim(`failures: ${renderCounts(countsOf(evaluation.delta))}`));
    if (!evaluation.passed && (best === undefined || this.#options.verbose)) this.#failures(evaluation);
  }

  #accepted({
    criteria,
    files,
    uncovered,
    rejected,
    evaluation,
  }: Extract<RunEvent, { type: 'acceptance_prepared' }>): void {
    this.#reward = evaluation.reward;
    const texts = criteria.map(({ text }) => firstLine(text)).join('; ');
    const first =
      criteria.length === 0 ? 'no test was written for the task' : `0/${criteria.length} green: ${texts}`;
    this.#line('acceptance', first, { rows: 3 });
    if (files.length > 0) this.#line('', files.join(', '), { fit: 'cut' });
    for (const text of uncovered) this.#line('', `not covered: ${firstLine(text)}`, { fit: 'cut' });
    const shown = rejected.slice(0, this.#options.verbose ? rejected.length : 1);
    const hidden = rejected.length - shown.length;
    const more = hidden === 0 ? '' : ` (and ${hidden} more; --verbose shows them)`;
    for (const text of shown) this.#line('', `left out: ${firstLine(text)}${more}`);
  }

  #failures({ diagnostics }: Evaluation): void {
    const shown = diagnostics.filter(({ severity }) => severity === 'error');
    const limit = this.#options.verbose ? 50 : 6;
    for (const diagnostic of shown.slice(0, limit)) {
      for (const text of describeFailure(diagnostic)) this.#line('', text, { fit: 'cut' });
    }
    if (shown.length > limit) this.#line('', `and ${shown.length - limit} more`);
  }

  #acted(iteration: number, trajectory: Trajectory): void {
    const edits = trajectory.actions.filter(({ type }) => /^(code|file)_/.test(type));
    // Actions that were printed when they happened are not printed again.
    const other = trajectory.actions.filter(
      (action) => this.#options.verbose && !this.#printedActions && !edits.includes(action),
    );
    this.#line(
      `attempt ${iteration}`,
      firstLine(trajectory.message === '' ? trajectory.strategy : trajectory.message),
    );
    const lines = [...edits.map(renderEdit), ...other.map(renderAction)];
    for (const text of lines) this.#line('', firstLine(text), { fit: 'cut' });
    this.#printedActions = false;
    if (trajectory.samples !== undefined) this.#line('samples', samplesLine(trajectory.samples), { rows: 3 });
  }

  #reflected({ path, reflection }: Extract<RunEvent, { type: 'reflection_written' }>): void {
    const { chalk } = this.#options;
    const self = reflection.self_reflection;
    const rows = this.#options.verbose ? Infinity : REFLECTION_ROWS;
    this.#line('reflection', chalk.dim(path), { fit: 'tail' });
    this.#line(
      '',
      `${chalk.cyan(self.credit_assignment.failure_category)} (confidence ${self.confidence.toFixed(2)}): ${firstLine(self.credit_assignment.root_cause)}`,
      { rows },
    );
    this.#line('', `next: ${firstLine(self.actionable_insights[0] ?? '')}`, { rows });
  }

  #remembered({ pass, status, reason }: Extract<RunEvent, { type: 'memory_pass' }>): void {
    if (!this.#options.verbose || status === 'skipped') return;
    this.#line(
      'memory',
      this.#options.chalk.dim(`${pass.replace('_', '-')}: ${reason.replaceAll('_', ' ')}`),
    );
  }

  #withheld({ all }: Extract<RunEvent, { type: 'memory_withheld' }>): void {
    if (!this.#options.verbose) return;
    const what = all ? 'all but what is yours' : 'one lesson';
    this.#line('withheld', this.#options.chalk.dim(`${what}, at random, to measure what memory changes`));
  }

  #recalled({ lessons, insights }: Extract<RunEvent, { type: 'memory_recalled' }>): void {
    if (!this.#options.verbose) return;
    for (const { text } of lessons) this.#line('recalled', firstLine(text));
    if (insights > 0) this.#line('recalled', plural(insights, 'insight'));
  }

  #end(run: EndedRun): void {
    const { chalk, screen, next = nextSteps } = this.#options;
    screen.print(renderVerdict(run, chalk));
    for (const { label, text, ...how } of renderEnd(run, next(run), chalk)) this.#line(label, text, how);
  }

  #line(label: string, text: string, how: Omit<Line, 'head' | 'text'> = {}): void {
    const head = `${this.#options.chalk.bold(label.padEnd(LABEL_WIDTH))} `;
    this.#options.screen.print({ ...how, head, text });
  }
}
