import { readFile } from 'node:fs/promises';
import type { ChalkInstance } from 'chalk';
import { ralphFolder } from '../../platform/ralph-folder.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { parseTrajectory } from '../../loop/trajectory.ts';
import { printable } from '../../platform/text/printable.ts';
import { renderAction } from '../../report/action-line.ts';
import type { Action } from '../../schema/generated.ts';
import { readJournal } from '../../state/journal.ts';
import { resolveLoopId } from '../../state/loops.ts';
import { printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

interface LoggedAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly strategy: string;
  readonly outcome: string;
  readonly message: string;
  readonly actions: readonly Action[];
}

/** `ralph logs [loop-id]`: prints the steps of the journal and the actions of each attempt. Damaged actions are named and left out. */
export async function logsCommand(id: string | undefined, options: OutputOptions): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const loopId = await resolveLoopId(root, id);
  const { records } = readJournal(ralphFolder(root).journal(loopId));
  const steps = records.map(({ at, step }) => ({ at, step }));
  const attempts = await readAttempts(
    root,
    loopId,
    steps.map(({ step }) => step),
  );
  printResult(options, { loop_id: loopId, steps, attempts }, (chalk) => [
    chalk.bold(loopId),
    ...steps.map(({ at, step }) => `${chalk.dim(at)}  ${step}`),
    ...attempts.flatMap((attempt) => renderAttempt(attempt, chalk, options.verbose === true)),
  ]);
}

async function readAttempts(
  root: string,
  loopId: string,
  steps: readonly string[],
): Promise<LoggedAttempt[]> {
  const iterations = steps.flatMap((step) => /^(\d+):act$/.exec(step)?.[1] ?? []).map(Number);
  const attempts = await Promise.all(iterations.map((iteration) => readAttempt(root, loopId, iteration)));
  return attempts.filter((attempt) => attempt !== undefined);
}

async function readAttempt(
  root: string,
  loopId: string,
  iteration: number,
): Promise<LoggedAttempt | undefined> {
  const path = ralphFolder(root).inAttempt(loopId, iteration, 'trajectory.jsonl');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { trajectory, damagedLines } = parseTrajectory(text);
  if (damagedLines.length > 0) printWarning(describeDamage(path, iteration, damagedLines));
  return trajectory === undefined ? undefined : { iteration, ...trajectory };
}

function describeDamage(path: string, iteration: number, lines: readonly number[]): string {
  if (lines[0] === 1) return `${path} is damaged: line 1. Attempt ${iteration} is left out.`;
  const shown = `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;
  return `${path} is damaged: line${lines.length > 1 ? 's' : ''} ${shown}. Damaged actions are left out.`;
}

function renderAttempt(attempt: LoggedAttempt, chalk: ChalkInstance, verbose: boolean): string[] {
  return [
    '',
    `${chalk.bold(`attempt ${attempt.iteration}`)}  ${attempt.outcome}  ${printable(attempt.message.split('\n')[0]!)}`,
    ...attempt.actions.flatMap((action, index) => renderLoggedAction(action, index, chalk, verbose)),
  ];
}

function renderLoggedAction(action: Action, index: number, chalk: ChalkInstance, verbose: boolean): string[] {
  const { changes, type } = action;
  const counts = changes === undefined ? '' : ` (+${changes.additions ?? 0} −${changes.deletions ?? 0})`;
  const summary = `  ${String(index).padStart(3)}  ${chalk.cyan(type)}${counts}  ${printable(renderAction(action))}`;
  if (!verbose) return [summary];
  const details = [...action.description.split('\n').slice(1), ...(changes?.diff?.split('\n') ?? [])];
  return [
    summary,
    ...details.filter((text) => text !== '').map((text) => `         ${chalk.dim(printable(text))}`),
  ];
}
