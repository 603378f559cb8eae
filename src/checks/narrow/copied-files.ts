import { randomBytes } from 'node:crypto';
import { join, posix } from 'node:path';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { TestCase } from '../../schema/generated.ts';

/** A run of test files together with copies of them. */
export interface CopiedRun {
  readonly report: CheckReport;
  /** The tests of the files, and those of each round of copies under the names of the files. */
  readonly rounds: readonly (readonly TestCase[])[];
}

const MAX_FILES = 5;
/** Runners that load each test file, and what it imports, anew. */
const LOADS_ANEW: ReadonlySet<string> = new Set(['node', 'vitest', 'jest']);
/** Options and settings by which files share what they load. */
const SHARES = /isolat|poolOptions|vmThreads|runInBand|\bprojects?\b|globalSetup/i;
/** Words of Vitest that `isolated` of a request undoes. */
const UNDONE = /^--(no-isolate|isolate=false)$/;
/** Snapshots that are not inline lie in a file named like the test's own, and tests in a source are run by its name. */
const BY_NAME = /(?<!inline)snapshot|import\.meta\.vitest/i;

/** Copies of test files that lie beside them. */
export interface PlacedCopies {
  /** Relative to the root. */
  readonly paths: readonly string[];
  /** The tests of each round of copies in a report, under the names of the files. */
  roundsOf(report: CheckReport): readonly (readonly TestCase[])[];
  remove(): void;
}

/**
 * Runs test files with `copies` copies of each beside them, in one start of the runner: as often as that many starts more
 * would run them; each loads what it imports anew, even if the script of Vitest lets files share it. Undefined where the runner shares modules between files, or a test depends on the name of its file. The
 * copies are removed. Never rejects for what the tests do.
 */
export async function runCopied(
  check: Check,
  request: CheckRequest,
  copies: number,
): Promise<CopiedRun | undefined> {
  const { files = [] } = request;
  const placed = placeCopies(check, { ...request, isolated: true }, copies);
  if (placed === undefined) return undefined;
  try {
    const own = { ...request, isolated: true, files: [...files, ...placed.paths].toReversed() };
    const report = await check.run(own);
    const first = files.flatMap((file) => report.tests.filter((test) => test.file === file));
    return { report, rounds: [first, ...placed.roundsOf(report)] };
  } finally {
    placed.remove();
  }
}

/** Copies the test files of a request as they are now. Undefined where copies prove nothing, as for `runCopied`. */
export function placeCopies(
  check: Check,
  { root, files = [], isolated = false }: CheckRequest,
  copies: number,
): PlacedCopies | undefined {
  const isShared = sharesModules(check, root, isolated);
  if (copies < 1 || files.length === 0 || files.length > MAX_FILES || isShared) return undefined;
  const texts = new Map(files.map((file) => [file, textOf(root, file)]));
  if ([...texts.values()].some((text) => text === undefined || BY_NAME.test(text))) return undefined;
  const nonce = randomBytes(6).toString('hex');
  const names = Array.from({ length: copies }, (_, round) =>
    files.map((file) => ({ file, path: siblingOf(file, `${nonce}${round}`) })),
  );
  const all = names.flat();
  for (const { file, path } of all) writeInTree(root, path, texts.get(file)!);
  return {
    paths: all.map(({ path }) => path),
    roundsOf: ({ tests }) =>
      names.map((round) =>
        round.flatMap(({ file, path }) =>
          tests.filter((test) => test.file === path).map((test) => ({ ...test, file })),
        ),
      ),
    remove: () => {
      for (const { path } of all) removeFromTree(root, path);
    },
  };
}

/** Whether a run loads each test file, and what it imports, anew, so that a copy of a file shows what a further start would. */
export function copiesAnew(check: Check, root: string): boolean {
  return !sharesModules(check, root, false);
}

function sharesModules({ plan }: Check, root: string, isolated: boolean): boolean {
  if (!LOADS_ANEW.has(plan.tool)) return true;
  const isUndone = isolated && plan.tool === 'vitest';
  const args = isUndone ? plan.args.filter((it) => !UNDONE.test(it)) : plan.args;
  return SHARES.test([args.join(' '), textOf(root, plan.config ?? '') ?? ''].join('\n'));
}

/** `a/add.test.ts` → `a/add-NONCE.test.ts`: a runner's pattern that matches the one matches the other. */
export function siblingOf(path: string, nonce: string): string {
  const { dir, base } = posix.parse(path);
  const marked = /^(.+?)((?:[._-](?:test|tests|spec))?\.[^/]*)$/i.exec(base);
  const name = marked === null ? `${base}-${nonce}` : `${marked[1]}-${nonce}${marked[2]}`;
  return posix.join(dir, name);
}

function textOf(root: string, file: string): string | undefined {
  try {
    return readTreeTextSync(join(root, file));
  } catch {
    return undefined;
  }
}
