import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { flippedFiles, passes, untyped, type CanaryInPlaceRequest } from '../flipped-tests.ts';
import { nestedBesideReached, withWrong, type WrongExpectation } from '../canaries/wrong-expectations.ts';

/** Most test files that are tried. */
const MAX_FILES = 4;

const MARK = 'a comparison ran';

/**
 * A sentence on a test that failed before and passes now because comparisons in its callbacks and loops no longer run, or
 * their errors are swallowed: with code that throws in their place the test passes, and with the sources of the base that
 * code ran. Undefined if there is none. The files are put back. Never rejects for what the tests do.
 */
export async function findUnreachedComparison(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const { signal } = asked.request;
  for (const { file, changes } of flippedFiles(asked, throwing).slice(0, MAX_FILES)) {
    if (signal.aborted) return undefined;
    const made = changes.flat();
    const now = await runWith(check, asked, { file, made });
    const unreached = made.filter((change) => passes(file, change, now));
    if (unreached.length === 0) continue;
    const before = await withBase(asked, () => runWith(check, asked, { file, made: unreached }));
    if (before.diagnostics.some(({ message }) => message.includes(MARK)))
      return `"${unreached[0]!.test}" of ${file} passes because comparisons in its callbacks or loops no longer run, or their errors are swallowed. They ran before the change, so it proves nothing.`;
  }
  return undefined;
}

/** The changes that can throw in place of the expected value. */
function throwing(source: string): WrongExpectation[] {
  const text = `(() => { throw new Error('${MARK}'); })()`;
  return nestedBesideReached(source).flatMap((change) => {
    if (change.from < change.to) return [{ ...change, text }];
    return /^0(, )?$/.test(change.text) ? [{ ...change, text: change.text.replace('0', text) }] : [];
  });
}

async function runWith(
  check: Check,
  { request }: CanaryInPlaceRequest,
  { file, made }: { readonly file: string; readonly made: readonly WrongExpectation[] },
): Promise<CheckReport> {
  const path = join(request.root, file);
  const source = readTreeTextSync(path);
  try {
    writeInTree(request.root, file, untyped(file, withWrong(source, made)));
    return await check.run({ ...request, fresh: true, files: [file] });
  } finally {
    writeInTree(request.root, file, source);
  }
}
