import { clause } from '../../prompts/phrases.ts';
import { endedEarly, idleClaims, messageOf, tamperedClaim } from './actor-claims.ts';
import { changedLines } from './claims/changed-lines.ts';
import { holds } from './claims/checks.ts';
import type { Claim } from './claims/claim.ts';
import { lineEndsChange } from './claims/line-ends.ts';
import { renderClaim } from './claims/render.ts';
import type { Evidence } from './evidence.ts';

/** Most changes that are shown as code; more are named by their files. */
const MOST_EDITS = 2;

/** The sentence on the change of an attempt, or on why it changed nothing. */
export function changeSentence(evidence: Evidence): string {
  const { attempt, changed, hunks, input } = evidence;
  const start = `In attempt ${attempt}`;
  if (changed.length === 0) {
    const reasons = idleClaims(evidence)
      .filter((claim) => holds(claim, input))
      .map(renderClaim);
    const message = clause(messageOf(input), 120);
    const said = message === '' || reasons.length === 0 ? '' : ` ("${message}")`;
    return `${start} I changed no file${reasons.length === 0 ? '' : `: ${reasons.join('; ')}${said}`}.`;
  }
  const [hunk] = hunks;
  const line: Claim[] =
    hunk === undefined
      ? []
      : [
          {
            kind: 'line_changed',
            file: hunk.file,
            line: hunk.line,
            before: hunk.removed.join('\n'),
            after: hunk.added.join('\n'),
          },
        ];
  const [file] = changed;
  const whole = (['file_deleted', 'file_added'] as const).map((kind): Claim => ({ kind, file: file! }));
  const edits = changedLines(hunks);
  const several: Claim[] =
    edits.length > 1 && edits.length <= MOST_EDITS ? [{ kind: 'lines_changed', edits }] : [];
  const ends = lineEndsChange(hunks);
  const rewritten: Claim[] = ends === undefined ? [] : [{ kind: 'line_ends_changed', ...ends }];
  const change = [
    ...whole,
    ...rewritten,
    ...line,
    ...several,
    { kind: 'files_changed', files: changed } as const,
  ].find((claim) => holds(claim, input));
  const tampered = tamperedClaim(evidence.input).find((claim) => holds(claim, input));
  const repeated = repeatedClaims(evidence).find((claim) => holds(claim, input));
  const kept = ([{ kind: 'code_kept' }] satisfies Claim[]).find((claim) => holds(claim, input));
  return [
    `${start} ${change === undefined ? 'I changed the tree' : renderClaim(change)}`,
    ...[kept, ...endedEarly(evidence), repeated, tampered].flatMap((claim) =>
      claim === undefined ? [] : [renderClaim(claim)],
    ),
  ]
    .join('; ')
    .concat('.');
}

function repeatedClaims({ input }: Evidence): Claim[] {
  const { loop } = input;
  const change = loop?.sameChange[0];
  const tree = loop?.sameTree[0];
  return [
    ...(change === undefined ? [] : [{ kind: 'same_change', attempt: change } as const]),
    ...(tree === undefined ? [] : [{ kind: 'same_tree', attempt: tree } as const]),
  ];
}
