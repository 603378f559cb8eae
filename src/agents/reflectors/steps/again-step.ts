import { claimedName } from '../../../prompts/lesson-claims.ts';
import { joinList, renderPlace } from '../../../prompts/phrases.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import { filesRunByNew } from '../credit.ts';
import type { Evidence } from '../evidence.ts';
import { importsUsedAt } from '../source-lines.ts';
import { nameOf, nextSources } from './named.ts';

/**
 * The step where an attempt fixed a failure and its change is not in the tree that the next one starts from: the change again, or as
 * much of it as is known to have done no harm. Undefined where no attempt is known to have fixed a failure of that tree.
 */
export function againStep(evidence: Evidence): string | undefined {
  const { ahead, attempt, fresh, isKept, unseen } = evidence;
  const [lead] = ahead;
  if (lead === undefined || isKept) return undefined;
  const fixed = fixedAhead(evidence);
  const again = `make the change of attempt ${attempt} again, which fixed`;
  if (fixed.includes(lead) && fresh.length + unseen.length === 0) return `${again} ${nameOf(lead)}`;
  const before = fixedEarlier(evidence, lead);
  if (before !== undefined) return `make the change of attempt ${before} again, which fixed ${nameOf(lead)}`;
  const [first] = fixed;
  if (first === undefined || fresh.length === 0 || evidence.input.evaluation.missing_tests.length > 0)
    return undefined;
  return `${again} ${nameOf(first)}, ${withoutHarm(evidence, first)}`;
}

/** The failures ahead that the attempt is known to have fixed, the first one ahead first. */
function fixedAhead({ ahead, fixed, input: { fixesSeen } }: Evidence): Diagnostic[] {
  // A test that was not seen to run the change may pass for another reason.
  const isSeen = ({ test_id: id }: Diagnostic): boolean =>
    id === undefined || fixesSeen === undefined || fixesSeen.includes(id);
  return ahead.filter(
    (one) => isSeen(one) && fixed.some(({ fingerprint }) => fingerprint === one.fingerprint),
  );
}

/** The number of an earlier attempt of the loop that fixed a failure, as a lesson of the rules says. */
function fixedEarlier({ earlier }: Evidence, lead: Diagnostic): number | undefined {
  const lesson = `fixed ${claimedName(lead)}`;
  const before = earlier.findLast(
    ({ reflector, evaluator_output: { errors }, self_reflection: { lessons_learned: lessons } }) =>
      reflector.name === 'rules' &&
      !errors.some(({ fingerprint }) => fingerprint === lead.fingerprint) &&
      lessons.some((text) => text.includes(lesson)),
  );
  return before === undefined ? undefined : before.iteration + 1;
}

/** How to make the change without the new failure: without the edits that its test ran, where these are not the fix; else by trying. */
function withoutHarm(evidence: Evidence, fixed: Diagnostic): string {
  const { changed, fresh, hunks, input } = evidence;
  const run = filesRunByNew(evidence);
  const traced = fresh.find(({ test_id: id }) => id !== undefined && id === input.trace?.testId);
  const rest = changed.filter((file) => !run.has(file));
  // The edit of a file that the failing line uses may be the fix itself.
  const mayBeFix = usedBy(evidence, fixed).some((file) => run.has(file));
  if (traced !== undefined && run.size > 0 && rest.length > 0 && !mayBeFix)
    return `without its edit of ${joinList([...run].map((file) => renderPlace({ file })))}, which ${nameOf(traced)} ran`;
  const harm = nameOf(traced ?? fresh[0]!);
  return hunks.flatMap(({ edits }) => edits).length > 1
    ? `one edit at a time, to see with which of them ${harm} fails`
    : `and look at what makes ${harm} fail with it`;
}

/** Sources that the line of a failure uses. */
function usedBy(evidence: Evidence, { file, line }: Diagnostic): readonly string[] {
  return file === undefined || line === undefined ? [] : importsUsedAt(nextSources(evidence), file, line);
}
