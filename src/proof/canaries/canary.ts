import { randomBytes } from 'node:crypto';
import { join, posix } from 'node:path';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { Check } from '../../ports.ts';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering, TestCase } from '../../schema/generated.ts';
import { siblingOf } from '../../checks/narrow/copied-files.ts';
import { toolOf } from '../../tools.ts';
import { canaryNames, renderCanaries, type CanaryNames } from './canary-tests.ts';
import { mutateExpectations, type MutatedFile } from './mutate-expectations.ts';
import { isTypeTest } from './type-tests.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** Most test files that are copied. */
const MAX_FILES = 5;

/** The tests of one check, before and after the change. */
export interface CanaryRequest {
  /** For the tree that is about to be accepted. */
  readonly request: CheckRequest;
  /** Tests of the baseline, with the ids of the check's own reports. */
  readonly before: readonly TestCase[];
  /** Tests of the tree, with the ids of the check's own reports. */
  readonly now: readonly TestCase[];
  /** Files in which canaries have run in place. Default: none. */
  readonly done?: ReadonlySet<string>;
  /** Whether a test file loads a changed source; false if absent. */
  readonly isReached?: (file: string) => boolean;
}

/** A copy of one test file, in the tree while the canaries run. */
interface Copy extends MutatedFile {
  /** The text of the original. */
  readonly source: string;
  /** Path of the original, relative to the root. */
  readonly original: string;
  /** Path of the copy, relative to the root. */
  readonly path: string;
  readonly nonce: string;
}

/**
 * Checks that the tests can still fail. It runs copies of their files once, with mutated expectations and with
 * appended tests (canaries) that must fail. One that passes shows that the code under test has disabled its tests, and
 * so does a runner that dies only with the canaries. A copy that cannot be run at all proves nothing, and neither does one
 * that dies with mutated expectations alone: a failed test may leave a server open. The copies are removed afterwards; the
 * rest of the tree is not changed.
 */
export async function findPassingCanaries(check: Check, asked: CanaryRequest): Promise<Tampering[]> {
  const dialect = toolOf(check.plan.tool).dialect?.canary;
  if (dialect === undefined) return [];
  const { root } = asked.request;
  const copies = filesToCopy(asked).flatMap(({ file, names }) => copyOf(root, file, names));
  if (copies.length === 0) return [];
  const run = (textOf: (copy: Copy) => string): Promise<CheckReport> => {
    for (const copy of copies) writeInTree(root, copy.path, textOf(copy));
    return check.run({ ...asked.request, fresh: true, files: copies.map(({ path }) => path) });
  };
  const withCanaries = (text: string, { nonce }: Copy): string =>
    `${text}\n${renderCanaries(dialect, nonce)}`;
  try {
    const mutated = await run((copy) => withCanaries(copy.text, copy));
    if (!isDead(mutated)) return copies.flatMap((copy) => findPassing(copy, mutated));
    const report = await run((copy) => withCanaries(copy.source, copy));
    if (!isDead(report)) return copies.flatMap((copy) => findPassing({ ...copy, mustFail: [] }, report));
    const plain = await run(({ source }) => source);
    return isDead(plain) || asked.request.signal.aborted ? [] : [diesOfCanaries(copies[0]!.original)];
  } finally {
    for (const { path } of copies) remove(root, path);
  }
}

/**
 * Files with tests that failed before and pass now, quickest first; without any, those that load a changed source, or else the
 * quickest file that passes.
 */
function filesToCopy({
  before,
  now,
  done,
  isReached = () => false,
}: CanaryRequest): { file: string; names: ReadonlySet<string> }[] {
  const failed = new Set(before.filter(({ status }) => status !== 'passed').map(({ id }) => id));
  const unloaded = new Set(
    before.filter(({ name, status }) => name === FILE_CASE && status === 'failed').map(({ file }) => file),
  );
  const known = new Set(before.map(({ file }) => file));
  // Without any test in the baseline, every test counts as newly passing.
  const isNew = known.size === 0;
  const passing = now.filter(
    ({ status, file }) =>
      status === 'passed' && file !== undefined && !isTypeTest(file) && (isNew || known.has(file)),
  );
  const flipped = passing.filter(({ id, file }) => isNew || failed.has(id) || unloaded.has(file));
  const grouped = Map.groupBy(flipped.length > 0 ? flipped : passing, ({ file }) => file!);
  const durationOf = (tests: readonly TestCase[]): number =>
    tests.reduce((sum, it) => sum + (it.duration_ms ?? 0), 0);
  const sorted = [...grouped]
    .filter(([file]) => done?.has(file) !== true)
    .sort(([, a], [, b]) => durationOf(a) - durationOf(b));
  const reached = flipped.length > 0 ? sorted : sorted.filter(([file]) => isReached(file));
  return (reached.length > 0 ? reached.slice(0, MAX_FILES) : sorted.slice(0, 1)).map(([file, tests]) => ({
    file,
    names: new Set(flipped.length > 0 ? tests.map(({ name }) => name) : []),
  }));
}

function copyOf(root: string, original: string, names: ReadonlySet<string>): Copy[] {
  try {
    const nonce = randomBytes(6).toString('hex');
    const source = readTreeTextSync(join(root, original));
    const mutated = mutateExpectations(source, names, nonce);
    const text = `// @ts-nocheck\n${mutated.text.replace(/^#!.*/, '')}`;
    return [{ ...mutated, text, source, original, nonce, path: siblingOf(original, nonce) }];
  } catch {
    return [];
  }
}

function isDead({ tests }: CheckReport): boolean {
  return tests.length === 0;
}

function diesOfCanaries(file: string): Tampering {
  const detail = `The runner dies when tests that must fail are appended to ${file}, so its results without them prove nothing.`;
  return { kind: 'canary_passed', file, detail: detail.slice(0, 2_000) };
}

function findPassing({ original, path, nonce, mustFail }: Copy, { tests }: CheckReport): Tampering[] {
  const own = tests.filter(({ file }) => file === path);
  const names = canaryNames(nonce);
  if (!hasRun(own, names)) return [];
  const mutated = own.find(({ name, status }) => status === 'passed' && mustFail.includes(name));
  if (mutated === undefined) return passingCanary(original, own, names);
  return [cannotFail(original, `"${mutated.name}" passes with a wrong expected value`)];
}

/** True if canaries were run among the tests of a file. */
export function hasRun(tests: readonly TestCase[], { control }: CanaryNames): boolean {
  return tests.some(({ name, status }) => name === control && status === 'passed');
}

/** Tampering for a canary among the tests of a file that passes. */
export function passingCanary(
  file: string,
  tests: readonly TestCase[],
  { canary }: CanaryNames,
): Tampering[] {
  const passes = tests.some(({ name, status }) => status === 'passed' && name.startsWith(canary));
  return passes ? [cannotFail(file, 'an appended test with a false assertion passes')] : [];
}

function cannotFail(file: string, reason: string): Tampering {
  const detail = `The tests of ${file} cannot fail with this change: ${reason}. The code must not change how it is tested.`;
  return { kind: 'canary_passed', file, detail: detail.slice(0, 2_000) };
}

/** Removes a copy, and the snapshot file that a runner may have written for it. */
function remove(root: string, path: string): void {
  const { dir, base } = posix.parse(path);
  for (const left of [path, posix.join(dir, '__snapshots__', `${base}.snap`)]) {
    removeFromTree(root, left);
  }
}
