import type { ChalkInstance } from 'chalk';
import type { FileChange } from '../../ports/tree.ts';
import type { Reflection, Verdict } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { plural } from '../../platform/text/plural.ts';
import { renderCurve } from '../curve.ts';
import { proofLines } from '../proof-lines.ts';
import { renderReceipt } from '../receipt.ts';
import type { Line } from '../screen.ts';
import { renderUsage } from '../usage.ts';
import { paintVerdict } from '../verdict-word.ts';
import { renderChanged } from './changed-files.ts';
import type { Ended, NextStep } from './next-steps.ts';

/** Everything that the summary of a loop is rendered from. */
export interface EndedRun extends Ended {
  /** Changes of the best attempt against the base. */
  readonly changed: readonly FileChange[];
  /** Reward of the baseline, then of each attempt. */
  readonly rewards: readonly number[];
  /** The newest reflection. */
  readonly reflection: Reflection | undefined;
}

/** A line of the summary. */
export interface EndLine extends Omit<Line, 'head'> {
  /** Empty except for the first line of a part. */
  readonly label: string;
}

/** Renders the verdict as a word, then the reward if known, and the reason. */
export function renderVerdict({ rewards, verdict }: EndedRun, chalk: ChalkInstance): Line {
  const { baseline_reward: before, reason, reward } = verdict;
  const change = rewards.length === 0 ? '' : `reward ${before.toFixed(3)} → ${reward.toFixed(3)}  `;
  return { head: `${paintVerdict(verdict, chalk)}  `, text: `${change}${reason}` };
}

/** Renders the lines below the verdict: receipt, changes, lessons, duration, usage, and the next commands. */
export function renderEnd(run: EndedRun, steps: readonly NextStep[], chalk: ChalkInstance): EndLine[] {
  const { verdict, changed, reflection } = run;
  const usage = renderUsage(verdict.usage);
  const commands = Math.max(0, ...steps.map(({ command }) => command.length));
  return [
    ...part('', verdict.checks.length === 0 ? [] : renderReceipt(verdict).map((text) => ({ text }))),
    ...part('proof', verdict.proof === undefined ? [] : proofLines(verdict.proof).map((text) => ({ text }))),
    ...part(
      'changed',
      renderChanged(changed, verdict, chalk).map((text) => ({ text, fit: 'cut' as const })),
    ),
    ...part(
      'learned',
      (reflection === undefined ? [] : renderLearned(reflection, verdict, chalk)).map((text) => ({
        text,
        rows: LEARNED_ROWS,
      })),
    ),
    ...part('took', verdict.duration_ms === 0 ? [] : [{ text: renderDurationLine(run, chalk) }]),
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

function part(label: string, contents: readonly Content[]): EndLine[] {
  return contents.map((content, index) => ({ label: index === 0 ? label : '', ...content }));
}

/** The first lesson of a verified loop; cause and next step of any other. */
function renderLearned(
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

function renderDurationLine({ rewards, verdict }: EndedRun, chalk: ChalkInstance): string {
  const { duration_ms: took, iterations } = verdict;
  if (iterations === 0) return renderDuration(took);
  const [curve] = renderCurve(rewards, { columns: CURVE_COLUMNS, rows: 1 });
  return `${renderDuration(took)}, ${plural(iterations, 'attempt')} ${chalk.cyan(curve)}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
