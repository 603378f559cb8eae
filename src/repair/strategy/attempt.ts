import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptContext } from '../../ports.ts';
import type { Alternative, Reflection, Trajectory } from '../../schema/generated.ts';
import { AttemptLog } from './attempt-log.ts';
import { changesOf, patchOf } from './change-text.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import type { ReadExperience } from './experience.ts';
import { environmentProblem } from '../localise/failures.ts';
import { formatLikeBefore } from '../fixers/prettier.ts';
import type { ReadRecentChanges } from '../localise/recent-changes.ts';
import { mergeRuledOut, ruledOutFrom } from './ruled-out.ts';
import { runFixers } from '../fixers/run-fixers.ts';
import { searchFailures } from './search-failures.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';

export interface AttemptBounds {
  /** Edits tried in one attempt. */
  readonly maxCandidates: number;
  readonly maxTimeMs: number;
  /** Tells which lines changed of late; without it none did. */
  readonly readRecentChanges?: ReadRecentChanges;
  /** Tells what fixed things here before; without it nothing did. */
  readonly readExperience?: ReadExperience;
}

const MAX_ALTERNATIVES = 20;
const MAX_PATCH = 20_000;
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
  const { found, notes } = await searchFailures(context, log, { ...bounds, deadline, known });
  // What was found when the time was up is judged like any other.
  if (context.signal.aborted && found === undefined)
    return end('timed_out', `Stopped before an edit was accepted; ${log.tried} were tried.`);
  if (found !== undefined) {
    const alternatives = await apply(context, found, log);
    const trajectory = end('edited', accomplished(found.fixed.length, mended, alternatives.length));
    const { candidate, testFile } = found;
    const accepted = {
      operator: candidate.operator,
      edit: candidate.signature,
      file_path: candidate.edits[0]!.file,
      test_file: testFile,
    };
    return { ...trajectory, accepted, ...(alternatives.length > 0 && { alternatives }) };
  }
  if (mended.length > 0) return end('edited', `The fixers mended ${mended.join(', ')}.`);
  return end('gave_up', farewell(log, notes));
}

function accomplished(fixed: number, mended: readonly string[], alternatives: number): string {
  const tests = `${fixed} failing ${fixed === 1 ? 'test' : 'tests'}`;
  const others =
    alternatives === 0 ? '' : ` ${alternatives} other${alternatives === 1 ? '' : 's'} would do as well.`;
  return mended.length === 0
    ? `One edit makes ${tests} pass.${others}`
    : `The fixers mended ${mended.join(', ')}; with one edit more ${tests} pass.${others}`;
}

function farewell({ tried, nearest }: AttemptLog, notes: readonly string[]): string {
  if (tried === 0 && notes.length > 0) return notes.join(' ');
  return `No edit found among the ${tried} tried.${nearest === undefined ? '' : ` Nearest: ${nearest}.`}`;
}

async function apply(
  context: AttemptContext,
  { candidate, command }: ColdVerdict,
  log: AttemptLog,
): Promise<Alternative[]> {
  const { file } = candidate.edits[0]!;
  const path = join(context.root, file);
  const text = await readFile(path, 'utf8');
  const after = applyEdits(text, candidate.edits);
  await writeFile(path, await formatLikeBefore(context, { file, before: text, after }));
  log.tried = Math.max(log.tried, 1);
  log.reason(
    `Chose the most natural edit in the most suspicious place that the tests confirm, by ${candidate.operator} at ${file}:${candidate.line}.`,
  );
  const place = log.placeOf(candidate);
  if (place !== undefined) log.reason(`It was number ${place} in the order of trials.`);
  log.act({
    type: 'code_modification',
    description: `${ACCEPTED}${candidate.signature}`,
    file_path: file,
    changes: changesOf(text, candidate),
    command,
  });
  return await describeAlternatives(context.root, { [file]: text }, log.alternatives);
}

/** The others as patches against the tree as it was before the edit; `texts` by file where they changed since. */
async function describeAlternatives(
  root: string,
  texts: Readonly<Record<string, string>>,
  candidates: readonly Candidate[],
): Promise<Alternative[]> {
  const kept = candidates.slice(0, MAX_ALTERNATIVES);
  const described = await Promise.all(
    kept.map(async (candidate): Promise<Alternative> => {
      const { file } = candidate.edits[0]!;
      const text = texts[file] ?? (await readFile(join(root, file), 'utf8'));
      return { description: candidate.signature, patch: patchOf(text, candidate) };
    }),
  );
  return described.filter(({ patch }) => patch.length <= MAX_PATCH);
}

/** Edits that earlier attempts accepted and that did not turn out well. */
function regretted(reflections: readonly Reflection[]): string[] {
  return reflections
    .filter(({ performance_delta }) => !performance_delta.is_improvement)
    .flatMap(({ actor_output }) => actor_output.actions.map(({ description }) => description))
    .filter((description) => description.startsWith(ACCEPTED))
    .map((description) => description.slice(ACCEPTED.length));
}
