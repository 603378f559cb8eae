import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Evaluation } from '../../schema/generated.ts';

/** How test files ask whether they run in CI. */
const ASKS_FOR_CI = /\benv(?:\.|\[['"])CI\b|\bisCI\b|\b(?:is-ci|ci-info)\b/;
const MOST_SHOWN = 2;

/** A sentence on tests that are skipped because the checks run with `CI=1`, as in CI: nothing was judged by them. */
export function describeSkippedInCi(root: string, { tests }: Pick<Evaluation, 'tests'>): string[] {
  const files = Map.groupBy(
    tests.filter(({ status, file }) => status === 'skipped' && file !== undefined),
    ({ file }) => file!,
  );
  const skipped = [...files].flatMap(([file, own]) =>
    ASKS_FOR_CI.test(textOf(join(root, file))) ? own : [],
  );
  if (skipped.length === 0) return [];
  const names = skipped.slice(0, MOST_SHOWN).map(({ id }) => id);
  const more = skipped.length > MOST_SHOWN ? ' and others' : '';
  return [
    `The checks run with CI=1, as in CI, and ${plural(skipped.length, 'test')} of files that ask for CI ${skipped.length === 1 ? 'was' : 'were'} skipped: ${names.join(', ')}${more}. Nothing was judged by ${skipped.length === 1 ? 'it' : 'them'}.`,
  ];
}
