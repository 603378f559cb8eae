import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext } from '../../ports.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { runFixers } from '../fixers/run-fixers.ts';
import { environmentProblem } from '../localise/failures.ts';
import type { ReadRecentChanges } from '../localise/recent-changes.ts';
import { appliedInVain, applyEdit } from './apply-edit.ts';
import { AttemptLog } from './attempt-log.ts';
import type { ReadExperience } from './experience.ts';
import { logFixes } from './log-fixes.ts';
import { mergeRuledOut, ruledOutFrom } from './ruled-out.ts';
import { searchFailures, type Found } from './search-failures.ts';

/** Limits of one attempt, and readers of what is known about the repository. */
export interface AttemptBounds {
  /** Largest number of edits tried in one attempt. */
  readonly maxCandidates: number;
  readonly maxTimeMs: number;
  /** Reads the lines that changed recently; none if absent. */
  readonly readRecentChanges?: ReadRecentChanges;
  /** Reads the edits that repaired this repository before; none if absent. */
  readonly readExperience?: ReadExperience;
}

/**
 * One bounded attempt: the fixers, then the search for one edit that makes failing tests pass. The edit is left in the
 * tree. The trajectory names the edits that were ruled out; the next attempt reads them from its reflections and does
 * not try them again.
 */
export async function attemptSearch(context: AttemptContext, bounds: AttemptBounds): Promise<Trajectory> {
  const log = new AttemptLog();
  const known = new Set([...ruledOutFrom(context.reflections), ...appliedInVain(context.reflections)]);
  const end = (outcome: Trajectory['outcome'], message: string): Trajectory =>
    log.end(outcome, message, mergeRuledOut(known, { signatures: [...log.ruledOut], nearest: log.nearest }));

  // 1. No edit installs a package or frees a port.
  const problem = environmentProblem(context.evaluation.diagnostics);
  if (problem !== undefined) return end('gave_up', problem);

  // 2. The fixers of the linter and the type checker, for at most half of the time.
  const deadline = performance.now() + bounds.maxTimeMs;
  const fixed = logFixes(log, await runFixers(context, { timeoutMs: bounds.maxTimeMs / 2 }));

  // 3. The search: localise, propose, try, choose, combine. An edit that is found is kept even if the time is up.
  const { found, notes } = await searchFailures(context, log, { ...bounds, deadline, known });
  if (context.signal.aborted && found === undefined)
    return end('timed_out', `Stopped before an edit was accepted; ${log.tried} were tried.`);
  if (found === undefined)
    return fixed.length > 0
      ? end('edited', `${fixersFixed(fixed)}.`)
      : end('gave_up', whyNothing(log, notes));

  // 4. The edit is written, and the other edits with the same test results are described.
  const alternatives = await applyEdit(context, found, log);
  const trajectory = end('edited', summary(found, fixed, alternatives.length));
  const { edits, operator, signature } = found.candidate;
  return {
    ...trajectory,
    accepted: { operator, edit: signature, file_path: edits[0]!.file, test_file: found.testFile },
    alternatives: alternatives.length > 0 ? alternatives : undefined,
  };
}

function summary(found: Found, fixed: readonly string[], alternatives: number): string {
  const tests = plural(found.fixed.length, 'failing test');
  const others =
    alternatives === 0 ? '' : ` ${plural(alternatives, 'other edit')} would have the same test results.`;
  const edit = fixed.length === 0 ? 'One edit' : `${fixersFixed(fixed)}; one more edit`;
  return `${edit} makes ${tests} pass.${others}`;
}

function fixersFixed(files: readonly string[]): string {
  return `The fixers fixed errors in ${files.join(', ')}`;
}

function whyNothing({ tried, nearest }: AttemptLog, notes: readonly string[]): string {
  if (tried === 0 && notes.length > 0) return notes.join(' ');
  return `No edit found among the ${tried} tried.${nearest === undefined ? '' : ` Nearest: ${nearest}.`}`;
}
