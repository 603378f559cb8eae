import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import type { CanaryInPlaceRequest } from '../flipped-tests.ts';
import { namesImported, stemOf } from './expected-names.ts';
import { movedConstants } from './moved-expectations.ts';
import { findUnexecutedAssertion } from './unexecuted-assertions.ts';

/**
 * A sentence on a test that passed before and passes now, and in which an assertion ran before and does not run now: the list
 * that the test goes through is a changed constant of a source. Undefined if there is none. Two runs where tests import such a
 * constant; the files are put back. Never rejects for what the tests do.
 */
export async function findEmptiedList(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const files = await filesOfMoved(asked);
  if (files.length === 0) return undefined;
  // As if they had failed before: only such tests are looked at.
  const before = asked.before.map((test) =>
    test.file !== undefined && files.includes(test.file) ? { ...test, status: 'failed' as const } : test,
  );
  const own = { ...asked, before };
  const found = await findUnexecutedAssertion(check, own);
  if (found === undefined) return undefined;
  const known = await withBase(asked, () => findUnexecutedAssertion(check, own));
  return known === found ? undefined : found;
}

/** Test files that import a constant of a changed source which has another value than before. */
async function filesOfMoved({ request, sources, baseText, now }: CanaryInPlaceRequest & ChangedSources) {
  const tested = [...new Set(now.flatMap(({ file }) => file ?? []))];
  const found = new Set<string>();
  for (const source of sources) {
    const before = await baseText(source);
    if (before === undefined) continue;
    const moved = movedConstants(source, before, textOf(join(request.root, source)));
    if (moved.size === 0) continue;
    for (const file of tested) {
      const names = namesImported(textOf(join(request.root, file)), file, (stem) => stem === stemOf(source));
      if ([...names].some((name) => moved.has(name))) found.add(file);
    }
  }
  return [...found];
}
