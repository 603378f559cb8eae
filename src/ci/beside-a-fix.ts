import type { ChangedContent } from '../compose/evaluate-change.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { readerOf } from './commit-reader.ts';
import { isBesideAFix } from './rules/beside-a-fix.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const IMPORTED = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"]([^'"./][^'"]*)['"]/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;

/** Paths of changed files that may stay though no check needs them. */
export async function besideAFix(
  desk: RemoteDesk,
  head: string,
  files: readonly ChangedContent[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let used: ReadonlySet<string> | undefined;
  for (const { path, content, isExecutable } of files) {
    if (isExecutable) continue;
    const before = await desk.run(['cat-file', 'blob', `${head}:${path}`]);
    const texts = {
      path,
      before: before.exitCode === 0 ? before.stdout.toString('utf8') : undefined,
      after: content?.toString('utf8'),
    };
    if (texts.before === undefined && isTestSource(path)) used ??= await packagesOfTests(desk, head);
    if (isBesideAFix(texts, (name) => used?.has(name) === true)) found.add(path);
  }
  return found;
}

function isTestSource(path: string): boolean {
  return SOURCE.test(path) && (isTest(path) || isNamedTest(path));
}

/** The packages that the tests of a commit import. */
async function packagesOfTests(desk: RemoteDesk, commit: string): Promise<ReadonlySet<string>> {
  const reader = readerOf(desk, commit);
  const tests = (await reader.listFiles('')).filter(({ path }) => isTestSource(path));
  const ids = tests.flatMap(({ id }) => id ?? []);
  const texts = ids.length === 0 ? [] : [...(await reader.readBlobs(ids)).values()];
  return new Set(
    texts.flatMap((text) =>
      [...text.toString('utf8').matchAll(IMPORTED)].map(([, name]) => PACKAGE.exec(name!)?.[0] ?? name!),
    ),
  );
}
