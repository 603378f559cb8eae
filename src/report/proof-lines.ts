import type { Criterion, JudgeOpinions, Proof, ProofStrength } from '../schema/generated.ts';
import { plural } from '../platform/text/plural.ts';

const MAX_SHOWN = 5;

/** A proof as lines of text: its criteria, what no test covers, and its strength. */
export function proofLines({ criteria, uncovered, strength, judge }: Proof): string[] {
  return [
    ...bounded(criteria.map(criterionLine), 'criterion', 'criteria'),
    ...uncovered.slice(0, MAX_SHOWN).map((text) => `not covered by a test: ${text}`),
    ...(strength === undefined ? [] : strengthLines(strength)),
    ...(judge === undefined
      ? []
      : bounded(judgeLines(judge), 'finding of the judge', 'findings of the judge')),
  ];
}

/** Opinions of the judge, those against the change first. */
function judgeLines({ model, findings }: JudgeOpinions): string[] {
  if (findings.length === 0) return [`judge ${model}: no opinion`];
  const order = ['unmet', 'unclear', 'met'];
  return findings
    .toSorted((a, b) => order.indexOf(a.opinion) - order.indexOf(b.opinion))
    .map(({ criterion, opinion, file, line, reason }) => {
      const place = file === '' ? '' : ` (${file}${line === 0 ? '' : `:${line}`})`;
      return `judge ${model}: ${criterion} ${opinion}: ${reason}${place}`;
    });
}

/** A criterion with its state before and after. */
export function criterionLine(criterion: Criterion): string {
  const { text, red_before: red, green_after: green, flaky, disputed } = criterion;
  const before = flaky
    ? 'red at first, green when the untouched tree was checked again'
    : red
      ? 'red before'
      : 'green before';
  const state = `${before}, ${green ? 'green' : 'red'} now`;
  return `${text}: ${state}${disputed === undefined ? '' : `; the actor holds its test for wrong: ${disputed}`}`;
}

function strengthLines({
  tried,
  caught,
  survivors,
  unexecuted,
  unneeded,
  complete,
  added = [],
  reason,
}: ProofStrength): string[] {
  const cut = complete ? '' : ' (of those tried before the time ended)';
  const missed = survivors.map(
    ({ file, line, before, after }) => `not caught: ${file}:${line} ${before} → ${after}`,
  );
  return [
    tried === 0 && reason !== undefined
      ? `strength not measured: ${reason}`
      : `${caught} of ${plural(tried, 'mutant')} of the change ${tried === 1 ? 'is' : 'are'} caught${cut}`,
    ...(added.length > 0 ? [`tests added for what was not caught: ${added.join(', ')}`] : []),
    ...bounded(missed, 'mutant that is not caught', 'mutants that are not caught'),
    ...bounded(
      unexecuted.map(({ file, line }) => `no test runs ${file}:${line}`),
      'line that no test runs',
      'lines that no test runs',
    ),
    ...bounded(
      unneeded.map(
        ({ file, line, lines, removed = plural(lines, 'line') }) =>
          `no test notices that ${file}:${line} (${removed}) is taken back`,
      ),
      'change that no test needs',
      'changes that no test needs',
    ),
  ];
}

function bounded(lines: readonly string[], noun: string, nouns: string): string[] {
  const hidden = lines.length - MAX_SHOWN;
  return hidden <= 0 ? [...lines] : [...lines.slice(0, MAX_SHOWN), `and ${plural(hidden, noun, nouns)} more`];
}
