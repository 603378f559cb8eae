import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';
import { flippedFiles, type CanaryInPlaceRequest } from '../flipped-tests.ts';
import { expectedNames, namesImported } from './expected-names.ts';

const MANIFEST = 'package.json';

/**
 * A sentence on a test that failed before and passes now, and compares with a value of package.json that the change edits; undefined
 * if there is none.
 */
export async function findChangedManifest(
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const before = await asked.baseText(MANIFEST);
  if (before === undefined) return undefined;
  const changed = changedKeys(before, textOf(join(asked.request.root, MANIFEST)));
  if (changed.size === 0) return undefined;
  const [found] = flippedFiles(asked, (text, file) => {
    const names = namesImported(text, file, (path) => path === MANIFEST);
    return expectedNames(text, new Set([...names].filter((name) => changed.has(name))));
  });
  const place = found?.changes.flat()[0];
  return (
    place &&
    `"${place.test}" of ${found.file} compares with "${place.name}" of ${MANIFEST}, which was changed. So the tests were changed, and not what they test. --allow ${MANIFEST} permits it.`
  );
}

/** Keys whose value is another one. */
function changedKeys(before: string, now: string): ReadonlySet<string> {
  try {
    const [then, after] = [before, now].map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
    const keys = Object.keys({ ...then, ...after });
    return new Set(keys.filter((key) => JSON.stringify(then![key]) !== JSON.stringify(after![key])));
  } catch {
    return new Set();
  }
}
