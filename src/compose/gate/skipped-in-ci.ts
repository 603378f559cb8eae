import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Evaluation, TestCase } from '../../schema/generated.ts';

/** How test files ask whether they run in CI. */
const ASKS_FOR_CI = /\benv(?:\.|\[['"])CI\b|\bisCI\b|\b(?:is-ci|ci-info)\b/;
const MOST_SHOWN = 2;
/** Checks that take longer do not run again. */
const MOST_MS = 30_000;

/** Tests that are skipped in files that ask for CI: the checks run with `CI=1`, as there. */
export function skippedInCi(root: string, { tests }: Pick<Evaluation, 'tests'>): readonly TestCase[] {
  const files = Map.groupBy(
    tests.filter(({ status, file }) => status === 'skipped' && file !== undefined),
    ({ file }) => file!,
  );
  return [...files].flatMap(([file, own]) => (ASKS_FOR_CI.test(textOf(join(root, file))) ? own : []));
}

interface Skipped {
  readonly skipped: readonly TestCase[];
  /** Whether a test file loads a file that was changed. */
  readonly isReached: (file: string) => boolean;
  readonly baseline: Evaluation;
  /** Evaluates the tree, or the base, once more. */
  readonly again: (which: 'change' | 'start') => Promise<Evaluation>;
}

/** Result of a run without `CI` for tests that are skipped with it. */
export interface RunWithoutCi {
  /** Tests that were skipped there, too, or did not run. */
  readonly unjudged: readonly TestCase[];
  /** A sentence on a test that fails, and does not with the files of the start. */
  readonly doubt?: string;
}

/**
 * Runs a tree without `CI` if a test that is skipped with it loads what was changed, and the start as well where such a test
 * fails. One that the change has broken fails twice.
 */
export async function judgeWithoutCi({
  skipped,
  isReached,
  baseline,
  again,
}: Skipped): Promise<RunWithoutCi> {
  const isShort = baseline.checks.reduce((sum, { duration_ms: ms }) => sum + ms, 0) < MOST_MS;
  // Where the session itself is in CI, the tests cannot be expected to run.
  const isInCi = !['', '0', 'false'].includes(process.env['CI'] ?? '');
  if (isInCi || !isShort || !skipped.some(({ file }) => isReached(file!))) return { unjudged: skipped };
  const now = statusesIn(await withoutCi(() => again('change')));
  const unjudged = skipped.filter(({ id }) => !/^(?:passed|failed)$/.test(now.get(id) ?? ''));
  const failing = skipped.filter(({ id }) => now.get(id) === 'failed');
  if (failing.length === 0) return { unjudged };
  const then = statusesIn(await withoutCi(() => again('start')));
  const broken = failing.filter(({ id }) => then.get(id) === 'passed');
  if (broken.length === 0) return { unjudged };
  // Tests that CI skips are often those that fail by chance.
  const once = statusesIn(await withoutCi(() => again('change')));
  const first = broken.find(({ id }) => once.get(id) === 'failed');
  if (first === undefined) return { unjudged };
  const doubt = `Test "${first.name}" of ${first.file} is skipped with CI=1, with which the checks run. Without it, it fails each time, and passed with the files of the start. Run it without CI, and repair what broke it.`;
  return { unjudged, doubt };
}

/** The environment of the checks is that of this process. */
async function withoutCi<Result>(run: () => Promise<Result>): Promise<Result> {
  const { CI } = process.env;
  process.env['CI'] = '';
  try {
    return await run();
  } finally {
    if (CI === undefined) delete process.env['CI'];
    else process.env['CI'] = CI;
  }
}

function statusesIn({ tests }: Evaluation): ReadonlyMap<string, string> {
  return new Map(tests.map(({ id, status }) => [id, status]));
}

/** A sentence on tests that are skipped because the checks run with `CI=1`: nothing was judged by them. */
export function describeSkippedInCi(skipped: readonly TestCase[]): string[] {
  if (skipped.length === 0) return [];
  const names = skipped.slice(0, MOST_SHOWN).map(({ id }) => id);
  const more = skipped.length > MOST_SHOWN ? ' and others' : '';
  return [
    `The checks run with CI=1, as in CI, and ${plural(skipped.length, 'test')} of files that ask for CI ${skipped.length === 1 ? 'was' : 'were'} skipped: ${names.join(', ')}${more}. Nothing was judged by ${skipped.length === 1 ? 'it' : 'them'}.`,
  ];
}
