import { shownEdit } from '../../schema/shown-edit.ts';
import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext, EditIdea, EditIdeas } from '../../ports/attempt.ts';
import type { Trajectory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { correctSpelling, hasFixes, runFixers, type FixerRun } from '../fixers/run-fixers.ts';
import { environmentProblem } from '../localise/failures.ts';
import type { ReadRecentChanges } from '../localise/recent-changes.ts';
import { buildsBeforeTests } from '../localise/searched-files.ts';
import { appliedInVain, applyEdit, describeAlternatives } from './apply-edit.ts';
import { AttemptLog } from './attempt-log.ts';
import { foundInSource, withoutBuilds } from './built-code.ts';
import type { ReadExperience } from './experience.ts';
import type { ReadPastChanges } from '../habits/read-habits.ts';
import { EARLIER_TEXT } from '../syntax/edit.ts';
import { logFixes } from './log-fixes.ts';
import { mergeRuledOut, ruledOutFrom } from './ruled-out.ts';
import { describeWithheld, withheldScopes } from './withheld.ts';
import { searchFailures, type Found } from './search-failures.ts';

const UNPLACED = 'makes tests pass in the built code, but not in its source.';

/** Limits of one attempt, and readers of what is known about the repository. */
export interface AttemptBounds {
  /** Largest number of edits tried in one attempt. */
  readonly maxCandidates: number;
  readonly maxTimeMs: number;
  /** The confidence from which an edit is claimed to be a repair, 0..1. */
  readonly minConfidence: number;
  /** Reads the lines that changed recently; none if absent. */
  readonly readRecentChanges?: ReadRecentChanges;
  /** Reads the edits that repaired this repository before; none if absent. */
  readonly readExperience?: ReadExperience;
  /** Reads the changes of the repository's history, to learn its habits; nothing is learned if absent. */
  readonly readPastChanges?: ReadPastChanges;
  /** Reads the edits that undo a part of a recent commit; none if absent. */
  readonly readEarlierTexts?: () => Promise<readonly EditIdea[]>;
  /** Asks a model once for edits that are tried before all others; none if absent. Never rejects. */
  readonly proposeEdits?: (context: AttemptContext) => Promise<EditIdeas>;
  /** True: if the model gives no answer, only the fixers run. Default false. */
  readonly needsAnswer?: boolean;
}

/** Share of the time that the search leaves to the fixers if tests fail and a fixer has errors. */
const FIXERS_SHARE = 0.25;

/**
 * One bounded attempt. If tests fail: names that the compiler calls misspelt, then the search for one edit that makes the
 * tests pass, and the fixers only if there is none, because an error of types or lint is then likely another sign of the same
 * defect, and what removes it best may be at another place. If no test fails: the fixers. Edits are left in the tree. The
 * trajectory names the edits that were ruled out; the next attempt reads them from its reflections and does not try them
 * again.
 */
export async function attemptSearch(context: AttemptContext, bounds: AttemptBounds): Promise<Trajectory> {
  const log = new AttemptLog();
  const known = new Set([...ruledOutFrom(context.reflections), ...appliedInVain(context.reflections)]);
  let usage = NO_USAGE;
  const end = (outcome: Trajectory['outcome'], message: string): Trajectory => ({
    ...log.end(
      outcome,
      message,
      mergeRuledOut(known, { signatures: [...log.ruledOut], nearest: log.nearest }),
    ),
    usage,
  });

  // 1. No edit installs a package or frees a port.
  const problem = environmentProblem(context.evaluation.diagnostics);
  if (problem !== undefined) return end('gave_up', problem);

  // 2. The fixers of the linter and the type checker; if tests fail, only the correction of names.
  const hasFailures = context.evaluation.tests.some(({ status }) => status === 'failed');
  const isSearchFirst = hasFailures && bounds.needsAnswer !== true;
  const searchMs = bounds.maxTimeMs * (isSearchFirst && hasFixes(context) ? 1 - FIXERS_SHARE : 1);
  const started = performance.now();
  let runs: readonly FixerRun[] = isSearchFirst
    ? await correctSpelling(context, { timeoutMs: bounds.maxTimeMs * FIXERS_SHARE })
    : await runFixers(context, { timeoutMs: bounds.maxTimeMs / 2 });
  let fixed = logFixes(log, runs);

  // 3. The search: localise, propose, try, choose, combine. An edit that is found is kept even if the time is up.
  const scopes = withheldScopes(context.reflections, bounds.minConfidence);
  const isBuilt = buildsBeforeTests(context);
  const asked = performance.now();
  const ideas = hasFailures ? await bounds.proposeEdits?.(context) : undefined;
  // The time of the model's answer is not taken from the search.
  const deadline = started + searchMs + (performance.now() - asked);
  if (ideas !== undefined) usage = ideas.usage;
  const isUnanswered = ideas === undefined || ideas.unanswered === true;
  if (bounds.needsAnswer === true && isUnanswered) noteUnusable(context, log, ideas);
  if (bounds.needsAnswer === true && isUnanswered)
    return fixed.length > 0
      ? end('edited', `${fixersFixed(fixed)}.`)
      : end('gave_up', whyNothing(log, ['The model proposed no edit.']));
  const request = { ...bounds, deadline, known, withheldScopes: scopes, ideas: ideas?.edits };
  const searched = await searchFailures(isBuilt ? withoutBuilds(context) : context, log, request);
  noteUnusable(context, log, ideas);
  const found = searched.found && (isBuilt ? await foundInSource(context, searched.found) : searched.found);
  const notes = [...searched.notes];
  if (found === undefined && searched.found !== undefined)
    notes.push(`${shownEdit(searched.found.candidate.signature)} ${UNPLACED}`);
  if (context.signal.aborted && found === undefined)
    return end('timed_out', `Stopped before an edit was accepted; ${log.tried} were tried.`);
  if (found === undefined && isSearchFirst && fixed.length === 0 && log.withheld.size === 0) {
    runs = await runFixers(context, { timeoutMs: bounds.maxTimeMs * FIXERS_SHARE, mustRepairTests: true });
    fixed = logFixes(log, runs);
  }
  if (found === undefined && log.withheld.size > 0)
    return await endWithheld(context, log, { bounds, fixed, end });
  if (found === undefined)
    return fixed.length > 0
      ? end('edited', `${fixersFixed(fixed)}.`)
      : end('gave_up', whyNothing(log, [...reasonsOf(runs), ...notes]));

  // 4. The edit is written, the other edits with the same test results are described, and lint follows.
  const alternatives = await applyEdit(context, found, log);
  if (isSearchFirst) {
    const lint = await runFixers(context, { timeoutMs: bounds.maxTimeMs * FIXERS_SHARE, kind: 'lint' });
    fixed = [...new Set([...fixed, ...logFixes(log, lint)])];
  }
  const trajectory = end('edited', summary(found, fixed, alternatives.length));
  const { edits, operator, signature } = found.candidate;
  return {
    ...trajectory,
    confidence: log.confidence,
    accepted: { operator, edit: signature, file_path: edits[0]!.file, test_file: found.testFile },
    alternatives: alternatives.length > 0 ? alternatives : undefined,
  };
}

/** Tells which edits of the model could not be tried, or that it gave no answer. */
function noteUnusable({ onWork }: AttemptContext, log: AttemptLog, ideas: EditIdeas | undefined): void {
  const text = ideas && log.leftOut.describe(ideas);
  if (text === undefined) return;
  log.addReason(text);
  onWork({ type: 'warning', text });
}

type End = (outcome: Trajectory['outcome'], message: string) => Trajectory;

/** Ends an attempt that found plausible edits and chose none: the best ones are its alternatives. */
async function endWithheld(
  { root }: AttemptContext,
  log: AttemptLog,
  { bounds, fixed, end }: { bounds: AttemptBounds; fixed: readonly string[]; end: End },
): Promise<Trajectory> {
  for (const scope of log.withheld.keys())
    log.addAction({ type: 'test_execution', description: describeWithheld(scope, bounds.minConfidence) });
  const [first] = log.withheld.values();
  const sentences = [...log.withheld.values()].map(({ sentence }) => sentence);
  const fixes = fixed.length > 0 ? [`${fixersFixed(fixed)}.`] : [];
  return {
    ...end(fixed.length > 0 ? 'edited' : 'gave_up', [...fixes, ...sentences].join(' ')),
    confidence: log.confidence,
    alternatives: await describeAlternatives(root, new Map(), first!.candidates),
  };
}

function summary(found: Found, fixed: readonly string[], alternatives: number): string {
  const tests = plural(found.fixed.length, 'failing test');
  const others =
    alternatives === 0 ? '' : ` ${plural(alternatives, 'other edit')} would have the same test results.`;
  const kind =
    found.candidate.operator === EARLIER_TEXT ? 'edit, which undoes a part of a recent commit,' : 'edit';
  const edit = fixed.length === 0 ? `One ${kind}` : `${fixersFixed(fixed)}; one more ${kind}`;
  return `${edit} makes ${tests} pass.${others}`;
}

function fixersFixed(files: readonly string[]): string {
  return `The fixers fixed errors in ${files.join(', ')}`;
}

function reasonsOf(runs: readonly FixerRun[]): string[] {
  return runs.flatMap(({ check, result: { reason } }) =>
    reason === undefined ? [] : [`${check}: ${reason}`],
  );
}

function whyNothing({ tried, nearest }: AttemptLog, notes: readonly string[]): string {
  if (notes.length > 0 && (tried === 0 || notes.at(-1)!.endsWith(UNPLACED))) return notes.join(' ');
  return `No edit found among the ${tried} tried.${nearest === undefined ? '' : ` Nearest: ${nearest}.`}`;
}
