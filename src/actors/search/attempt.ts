import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptContext } from '../../ports.ts';
import type { Reflection, Trajectory } from '../../schema/generated.ts';
import { AttemptLog } from './attempt-log.ts';
import { changesOf } from './change-text.ts';
import { applyEdits } from './edit.ts';
import { environmentProblem, failureGroups } from './failures.ts';
import { formatLikeBefore } from './fixers/prettier.ts';
import { mergeRuledOut, ruledOutFrom } from './ruled-out.ts';
import { runFixers } from './run-fixers.ts';
import { searchGroup } from './search-group.ts';
import type { ColdVerdict } from './trial-cold.ts';

export interface AttemptBounds {
  /** Edits tried in one attempt. */
  readonly maxCandidates: number;
  readonly maxTimeMs: number;
}

const ACCEPTED = 'Accepted edit: ';

/**
 * One bounded search: the fixers, then one edit that repairs failing tests and is left in the tree. What was
 * tried in vain is in the trajectory, and is not tried again when it comes back in a reflection.
 */
export async function attemptSearch(context: AttemptContext, bounds: AttemptBounds): Promise<Trajectory> {
  const log = new AttemptLog();
  const known = new Set([...ruledOutFrom(context.reflections), ...regretted(context.reflections)]);
  const end = (outcome: Trajectory['outcome'], message: string): Trajectory =>
    log.end(
      outcome,
      message,
      mergeRuledOut(known, { signatures: [...log.refuted], ...(log.nearest && { nearest: log.nearest }) }),
    );
  const problem = environmentProblem(context.evaluation.diagnostics);
  if (problem !== undefined) return end('gave_up', problem);
  const started = performance.now();
  const mended = await runFixers(context, log, { timeoutMs: bounds.maxTimeMs / 2 });
  const deadline = started + bounds.maxTimeMs;
  const found = await searchGroups(context, log, { maxCandidates: bounds.maxCandidates, deadline, known });
  if (context.signal.aborted) return end('failed', 'Stopped before an edit was accepted.');
  if (found !== undefined) {
    await apply(context, found, log);
    return end('edited', accomplished(found.fixed.length, mended));
  }
  if (mended.length > 0) return end('edited', `The fixers mended ${mended.join(', ')}.`);
  return end('gave_up', farewell(log));
}

function accomplished(fixed: number, mended: readonly string[]): string {
  const tests = `${fixed} failing ${fixed === 1 ? 'test' : 'tests'}`;
  return mended.length === 0
    ? `One edit makes ${tests} pass.`
    : `The fixers mended ${mended.join(', ')}; with one edit more ${tests} pass.`;
}

function farewell({ tried, nearest }: AttemptLog): string {
  return `No edit found among the ${tried} tried.${nearest === undefined ? '' : ` Nearest: ${nearest}.`}`;
}

async function searchGroups(
  context: AttemptContext,
  log: AttemptLog,
  { maxCandidates, deadline, known }: { maxCandidates: number; deadline: number; known: ReadonlySet<string> },
): Promise<ColdVerdict | undefined> {
  for (const group of failureGroups(context)) {
    if (context.signal.aborted || performance.now() > deadline || log.tried >= maxCandidates) break;
    const bounds = { exclude: known, maxCandidates: maxCandidates - log.tried, deadline };
    const found = await searchGroup(context, group, { bounds, log });
    if (found !== undefined) return found;
  }
  return undefined;
}

async function apply(
  context: AttemptContext,
  { candidate, command }: ColdVerdict,
  log: AttemptLog,
): Promise<void> {
  const { file } = candidate.edits[0]!;
  const path = join(context.root, file);
  const text = await readFile(path, 'utf8');
  const after = applyEdits(text, candidate.edits);
  await writeFile(path, await formatLikeBefore(context, { file, before: text, after }));
  log.tried = Math.max(log.tried, 1);
  log.reason(
    `Chose the most natural edit in the most suspicious place that the tests confirm, by ${candidate.operator} at ${file}:${candidate.line}.`,
  );
  log.act({
    type: 'code_modification',
    description: `${ACCEPTED}${candidate.signature}`,
    file_path: file,
    changes: changesOf(text, candidate),
    command,
  });
}

/** Edits that earlier attempts accepted and that did not turn out well. */
function regretted(reflections: readonly Reflection[]): string[] {
  return reflections
    .filter(({ performance_delta }) => !performance_delta.is_improvement)
    .flatMap(({ actor_output }) => actor_output.actions.map(({ description }) => description))
    .filter((description) => description.startsWith(ACCEPTED))
    .map((description) => description.slice(ACCEPTED.length));
}
