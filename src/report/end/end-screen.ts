import type { ChalkInstance } from 'chalk';
import type { FileChange } from '../../ports.ts';
import type { Reflection, Verdict } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderCurve } from '../curve.ts';
import { renderReceipt } from '../receipt.ts';
import type { Line } from '../screen.ts';
import { renderUsage } from '../usage.ts';
import { renderChanged } from './changed-files.ts';
import { nextSteps, type Ended } from './next-steps.ts';

/** Everything of a loop that its end is told by. */
export interface EndedRun extends Ended {
  /** What the best attempt differs from the base in. */
  readonly changed: readonly FileChange[];
  /** The baseline's, then one an attempt. */
  readonly rewards: readonly number[];
  /** The newest one. */
  readonly reflection: Reflection | undefined;
}

/** A line of the end, under a label of its own where it begins a part. */
export interface EndLine extends Omit<Line, 'head'> {
  readonly label: string;
}

/** `VERIFIED  `, `NOT VERIFIED  ` or `ABORTED  `, and beside it the reward, where one is known, and why it ended so. */
export function renderVerdict({ rewards, verdict }: EndedRun, chalk: ChalkInstance): Line {
  const { baseline_reward: before, reason, reward, status, verified } = verdict;
  const paint = verified ? chalk.green.bold : chalk.red.bold;
  const word = verified ? 'VERIFIED' : status === 'aborted' ? 'ABORTED' : 'NOT VERIFIED';
  const change = rewards.length === 0 ? '' : `reward ${before.toFixed(3)} → ${reward.toFixed(3)}  `;
  return { head: `${paint(word)}  `, text: `${change}${reason}` };
}

/** What is below the verdict: receipt, what changed, what was learned, what it took, what to type next. */
export function renderEnd(run: EndedRun, chalk: ChalkInstance): EndLine[] {
  const { verdict, changed, reflection } = run;
  const usage = renderUsage(verdict.usage);
  const steps = nextSteps(run);
  const commands = Math.max(0, ...steps.map(({ command }) => command.length));
  return [
    ...part('', verdict.checks.length === 0 ? [] : renderReceipt(verdict).map(textOf)),
    ...part('changed', renderChanged(changed, verdict, chalk).map(cutText)),
    ...part(
      'learned',
      (reflection === undefined ? [] : learnedOf(reflection, verdict, chalk)).map(boundText),
    ),
    ...part('took', verdict.duration_ms === 0 ? [] : [{ text: tookOf(run, chalk) }]),
    ...part('usage', usage === '' ? [] : [{ text: usage }]),
    ...part(
      'next',
      steps.map(({ command, why }) => ({ text: command.padEnd(commands), note: chalk.dim(why) })),
    ),
  ];
}

type Content = Omit<EndLine, 'label'>;

const LEARNED_ROWS = 3;
const CURVE_COLUMNS = 20;

function textOf(text: string): Content {
  return { text };
}

function cutText(text: string): Content {
  return { text, fit: 'cut' };
}

function boundText(text: string): Content {
  return { text, rows: LEARNED_ROWS };
}

function part(label: string, contents: readonly Content[]): EndLine[] {
  return contents.map((content, index) => ({ label: index === 0 ? label : '', ...content }));
}

/** Why attempts failed is behind a verified result; what to do about it is not. */
function learnedOf(
  { self_reflection: self, iteration }: Reflection,
  { verified }: Verdict,
  chalk: ChalkInstance,
): string[] {
  const { actionable_insights: insights, credit_assignment: credit, lessons_learned: lessons } = self;
  const from = chalk.dim(`(attempt ${iteration + 1})`);
  if (verified) return [`${firstLine(lessons[0] ?? credit.root_cause)} ${from}`];
  const cause = `${chalk.cyan(credit.failure_category)}: ${firstLine(credit.root_cause)} ${from}`;
  const next = insights[0] === undefined ? [] : [`next: ${firstLine(insights[0])}`];
  return [cause, ...next];
}

function tookOf({ rewards, verdict }: EndedRun, chalk: ChalkInstance): string {
  const { duration_ms: took, iterations } = verdict;
  if (iterations === 0) return renderDuration(took);
  const [curve] = renderCurve(rewards, { columns: CURVE_COLUMNS, rows: 1 });
  const attempts = `${iterations} ${iterations === 1 ? 'attempt' : 'attempts'}`;
  return `${renderDuration(took)}, ${attempts} ${chalk.cyan(curve)}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
