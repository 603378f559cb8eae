import { isTestFileOf } from '../../prompts/phrases.ts';
import type { FailureCategory, TamperingKind } from '../../schema/generated.ts';
import { holds } from './claims/checks.ts';
import { areCommandsAtFault } from './claims/failed-commands.ts';
import { filesOf, type Evidence } from './evidence.ts';
import { idleClaims } from './actor-claims.ts';
import { compareValues } from './values.ts';

const CANNOT_START = /not found|ENOENT|EACCES|permission denied|api.?key|unauthori[sz]ed|\b40[13]\b|quota/i;
const SETTING =
  /Cannot find (module|package)|Failed to resolve import|Could not resolve|\b(environment variable|process\.env|ECONNREFUSED|ENOTFOUND|EADDRINUSE|command not found|Unknown (compiler )?option|No inputs were found)/i;
const ABSENT_VALUE =
  /(?:Cannot (?:read|set) propert(?:y|ies)|is not iterable|Cannot convert undefined|undefined is not|null is not|(?:null|undefined) \(reading)/;

/**
 * Edits that a rule forbids, and which a flag permits: the actor took a file for its own, let the place decide where the
 * code runs, or let tests write a source. That accuses nobody of a lie.
 */
const POLICY: ReadonlySet<TamperingKind> = new Set<TamperingKind>([
  'protected_edited',
  'protected_deleted',
  'protected_added',
  'manifest_edited',
  'surroundings_read',
  'changed_while_checked',
]);
const OF_CLAIMS: ReadonlySet<TamperingKind> = new Set<TamperingKind>([
  'claimed_without_change',
  'tests_missing',
]);

/** The category of the failure: a label by what the checks reported and the actor did, not a statement on the cause. */
export function categoryOf(evidence: Evidence): FailureCategory {
  return ofActor(evidence) ?? ofFailures(evidence);
}

function ofActor(evidence: Evidence): FailureCategory | undefined {
  const { input, changed } = evidence;
  const found = [...(input.evaluation.tampering ?? []), ...input.tampering];
  if (found.some(({ kind }) => !POLICY.has(kind) && !OF_CLAIMS.has(kind))) return 'hallucination';
  if (found.some(({ kind }) => POLICY.has(kind))) return 'incorrect_assumption';
  if (changed.length > 0) return undefined;
  const claims = idleClaims(evidence).filter((claim) => holds(claim, input));
  const kinds = new Set(claims.map(({ kind }) => kind));
  if (claims.some((claim) => claim.kind === 'commands_failed' && areCommandsAtFault(claim)))
    return 'configuration_error';
  if (kinds.has('no_answer') || kinds.has('refused_to_answer')) return 'other';
  // Whoever reports to be done and changed nothing has left the work undone; what it believed is not known.
  if (kinds.has('reported_done')) return 'incomplete_implementation';
  if (kinds.has('actor_failed'))
    return CANNOT_START.test(input.trajectory.message) ? 'configuration_error' : 'other';
  if (kinds.has('gave_up') && SETTING.test(input.trajectory.message)) return 'configuration_error';
  if (kinds.has('edits_tried') || kinds.has('timed_out')) return 'inefficient_planning';
  return input.trajectory.actions.length > 0 ? 'inefficient_planning' : 'incomplete_implementation';
}

function ofFailures({ broken, failures, fixed, fresh, moved, changed, input }: Evidence): FailureCategory {
  const [lead] = failures;
  if (broken.length > 0) return 'configuration_error';
  if (lead === undefined) return input.evaluation.missing_tests.length > 0 ? 'integration_error' : 'other';
  if (failures.some(({ message }) => SETTING.test(message)))
    return fresh.some(({ message }) => /Cannot find module ['"`]?\./.test(message))
      ? 'integration_error'
      : 'configuration_error';
  if (fresh.some(({ type }) => type === 'syntax_error' || type === 'type_error')) return 'integration_error';
  if (fixed.length > 0 && fresh.length === 0) return 'incomplete_implementation';
  if (lead.type === 'type_error' || lead.type === 'lint_error') return 'incomplete_implementation';
  if (ABSENT_VALUE.test(lead.message)) return 'edge_case_miss';
  const { expected, received } = lead;
  const difference =
    expected === undefined || received === undefined ? undefined : compareValues(expected, received);
  if (difference?.boundary === true) return 'edge_case_miss';
  const source = filesOf(lead).filter((file) => !isTestFileOf(lead, file));
  const isElsewhere = source.length > 0 && !filesOf(lead).some((file) => changed.includes(file));
  return isElsewhere && fresh.length + moved.length === 0 ? 'incorrect_assumption' : 'logic_error';
}
