import type { TestCase } from '../../schema/generated.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** Words by which a test file itself leaves out tests. */
const LEAVES_OUT = /\b(\w*skip\w*|todo|\w*only|xit|xtest|xdescribe|pending|fixme|runIf|if)\b/i;

/**
 * A sentence on a test that is skipped now, in a file that did not load before and that itself leaves out nothing: no test
 * of such a file is known from the baseline, so that none would be missed. Undefined if there is none.
 */
export function findUnrunTest(
  before: readonly TestCase[],
  now: readonly TestCase[],
  textOf: (file: string) => string,
): string | undefined {
  const loaded = new Set(before.filter(({ name }) => name !== FILE_CASE).map(({ file }) => file));
  const known = new Set(before.map(({ file }) => file));
  const skipped = now.find(
    ({ file, status, name }) =>
      status === 'skipped' &&
      name !== FILE_CASE &&
      file !== undefined &&
      known.has(file) &&
      !loaded.has(file) &&
      !LEAVES_OUT.test(textOf(file)),
  );
  return skipped === undefined
    ? undefined
    : `"${skipped.name}" of ${skipped.file} is skipped, although its file skips nothing and failed to load before.`;
}
