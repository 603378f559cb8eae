import { hasFailed } from './claims/failed-commands.ts';
import { holds } from './claims/checks.ts';
import type { Claim } from './claims/claim.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import type { Evidence } from './evidence.ts';

/** The claims about the cause of the failures that hold, most telling first; empty where the cause is not known. */
export function causeClaims(evidence: Evidence): Claim[] {
  const { input, failures } = evidence;
  const [lead] = failures;
  // Restored edits are no cause of what the checks report: they ran without them.
  const tampered = tamperedClaim(input).filter(() => failures.length === 0);
  const claims: Claim[] = [
    ...tampered,
    ...idleClaims(evidence).filter(({ kind }) => kind !== 'tampered'),
    ...(lead === undefined || !mayBeCaused(evidence, lead)
      ? []
      : [{ kind: 'on_edited_line', failure: lead } as const]),
  ];
  return claims.filter((claim) => holds(claim, input));
}

/** The edit that is refused, if there is one. */
export function tamperedClaim({ evaluation, tampering }: Evidence['input']): Claim[] {
  const [found] = [...(evaluation.tampering ?? []), ...tampering];
  return found === undefined || found.kind === 'claimed_without_change'
    ? []
    : [{ kind: 'tampered', detail: found.detail }];
}

/** False for an error of a tool or command that was there before in other words: that it has these now is not why it is there. */
function mayBeCaused({ moved }: Evidence, failure: Diagnostic): boolean {
  return failure.test_id !== undefined || !moved.includes(failure);
}

/** Why no file was changed; empty where some file was. */
export function idleClaims({ input, changed }: Evidence): Claim[] {
  const { actions, alternatives = [], ruled_out: ruledOut } = input.trajectory;
  if (changed.length > 0) return [];
  const run = actions.filter(({ command }) => command !== undefined);
  const last = run.at(-1);
  const kinds = [
    'no_answer',
    'refused_to_answer',
    'timed_out',
    'reported_done',
    'ended_well',
    'gave_up',
    'actor_failed',
    'out_of_budget',
  ] as const;
  const ending = kinds.map((kind): Claim => ({ kind })).find((claim) => holds(claim, input));
  return [
    ...tamperedClaim(input),
    ...(ending === undefined ? [] : [ending]),
    ...(last === undefined || !hasFailed(last.description)
      ? []
      : [
          {
            kind: 'commands_failed',
            count: run.length,
            command: last.command!,
            description: last.description,
          } as const,
        ]),
    ...(alternatives.length === 0 ? [] : [{ kind: 'edits_withheld', count: alternatives.length } as const]),
    ...(ruledOut.tried === 0 ? [] : [{ kind: 'edits_tried', count: ruledOut.tried } as const]),
  ];
}

/** The actor's message where it explains the ending; the text of an answer is not an explanation, unless it refuses one. */
export function messageOf(input: Evidence['input']): string {
  const { outcome, message } = input.trajectory;
  return outcome === 'claimed_done' && !holds({ kind: 'refused_to_answer' }, input) ? '' : message;
}

/** The limit that ended an attempt which had edited something: of time or of the budget; empty where none did. */
export function endedEarly({ input }: Evidence): Claim[] {
  return (['timed_out', 'out_of_budget'] as const)
    .map((kind): Claim => ({ kind }))
    .filter((claim) => holds(claim, input));
}
