import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Check, CheckReport, CheckRequest } from '../ports.ts';
import type { Tampering, TestCase } from '../schema/generated.ts';
import { canaryCode, canaryNames, hasCanaries } from './canary-code.ts';
import { spoilExpectations, type SpoiledText } from './canary-text.ts';
import { FILE_CASE } from '../checks/results/test-results.ts';

const MAX_FILES = 5;

export interface CanaryRequest {
  /** Of the tree that would be accepted. */
  readonly request: CheckRequest;
  /** Ids as the check itself gives them. */
  readonly before: readonly TestCase[];
  readonly now: readonly TestCase[];
}

/** A copy of one test file, in the tree for as long as the canaries run. */
interface Copy extends SpoiledText {
  readonly source: string;
  /** Relative to the root. */
  readonly original: string;
  readonly path: string;
  readonly nonce: string;
}

/**
 * Asks whether the tests that count could still fail: copies of their files, with other values expected and with
 * tests behind them that assert what is false, are run once. Each of those must fail; one that passes says that
 * the code under test has changed what judges it, and so does a runner that dies of them alone. Where a copy cannot
 * be run at all, nothing is said. The copies are taken away again; the rest of the tree is not touched.
 */
export async function findPassingCanaries(check: Check, asked: CanaryRequest): Promise<Tampering[]> {
  const { tool } = check.plan;
  if (!hasCanaries(tool)) return [];
  const { root } = asked.request;
  const copies = filesInQuestion(asked).flatMap(({ file, names }) => copyOf(root, file, names));
  if (copies.length === 0) return [];
  const run = (textOf: (copy: Copy) => string): Promise<CheckReport> => {
    for (const copy of copies) writeFileSync(join(root, copy.path), textOf(copy));
    return check.run({ ...asked.request, fresh: true, files: copies.map(({ path }) => path) });
  };
  const withCanaries = ({ text, nonce }: Copy): string => `${text}\n${canaryCode(tool, nonce)}`;
  try {
    const first = await run(withCanaries);
    // What kills a runner may be an accident.
    const report = isDead(first) ? await run(withCanaries) : first;
    if (!isDead(report)) return copies.flatMap((copy) => judge(copy, report));
    const plain = await run(({ source }) => source);
    return isDead(plain) || asked.request.signal.aborted ? [] : [unheard(copies[0]!.original)];
  } finally {
    for (const { path } of copies) remove(root, path);
  }
}

/** Files with tests that failed before and pass now; where there are none, a few that pass. */
function filesInQuestion({ before, now }: CanaryRequest): { file: string; names: ReadonlySet<string> }[] {
  const failed = new Set(before.filter(({ status }) => status !== 'passed').map(({ id }) => id));
  const unloaded = new Set(
    before.filter(({ name, status }) => name === FILE_CASE && status === 'failed').map(({ file }) => file),
  );
  const known = new Set(before.map(({ file }) => file));
  // Where nothing ran before, everything that runs now is in question.
  const isNew = known.size === 0;
  const passing = now.filter(
    ({ status, file }) => status === 'passed' && file !== undefined && (isNew || known.has(file)),
  );
  const flipped = passing.filter(({ id, file }) => isNew || failed.has(id) || unloaded.has(file));
  const grouped = Map.groupBy(flipped.length > 0 ? flipped : passing, ({ file }) => file!);
  const took = (tests: readonly TestCase[]): number =>
    tests.reduce((sum, it) => sum + (it.duration_ms ?? 0), 0);
  return [...grouped]
    .sort(([, a], [, b]) => took(a) - took(b))
    .slice(0, flipped.length > 0 ? MAX_FILES : 1)
    .map(([file, tests]) => ({
      file,
      names: new Set(flipped.length > 0 ? tests.map(({ name }) => name) : []),
    }));
}

function copyOf(root: string, original: string, names: ReadonlySet<string>): Copy[] {
  try {
    const nonce = randomBytes(6).toString('hex');
    const source = readFileSync(join(root, original), 'utf8');
    const spoiled = spoilExpectations(source, names, nonce);
    const text = `// @ts-nocheck\n${spoiled.text.replace(/^#!.*/, '')}`;
    return [{ ...spoiled, text, source, original, nonce, path: siblingOf(original, nonce) }];
  } catch {
    return [];
  }
}

/** `a/add.test.ts` → `a/add-NONCE.test.ts`: what finds the one finds the other. */
function siblingOf(path: string, nonce: string): string {
  const { dir, base } = posix.parse(path);
  const marked = /^(.+?)((?:[._-](?:test|tests|spec))?\.[^/]*)$/i.exec(base);
  const name = marked === null ? `${base}-${nonce}` : `${marked[1]}-${nonce}${marked[2]}`;
  return posix.join(dir, name);
}

function isDead({ tests }: CheckReport): boolean {
  return tests.length === 0;
}

function unheard(file: string): Tampering {
  const detail = `The runner dies as soon as tests that must fail stand behind those of ${file}: what it says without them proves nothing.`;
  return { kind: 'canary_passed', file, detail: detail.slice(0, 2_000) };
}

function judge({ original, path, nonce, mustFail }: Copy, { tests }: CheckReport): Tampering[] {
  const own = tests.filter(({ file }) => file === path);
  const { control, canary } = canaryNames(nonce);
  const isRun = own.some(({ name, status }) => name === control && status === 'passed');
  if (!isRun) return [];
  const passed = own.filter(({ status }) => status === 'passed').map(({ name }) => name);
  const spoiled = passed.filter((name) => mustFail.includes(name));
  const canaries = passed.filter((name) => name.startsWith(canary));
  if (spoiled.length === 0 && canaries.length === 0) return [];
  const what =
    spoiled.length > 0
      ? `"${spoiled[0]}" passes whatever it expects`
      : 'a test behind it that asserts what is false passes';
  const detail = `The tests of ${original} cannot fail with this change: ${what}. What judges the code must be left as it is.`;
  return [{ kind: 'canary_passed', file: original, detail: detail.slice(0, 2_000) }];
}

/** With the snapshots that a runner may have written for it. */
function remove(root: string, path: string): void {
  const { dir, base } = posix.parse(path);
  for (const left of [path, posix.join(dir, '__snapshots__', `${base}.snap`)]) {
    rmSync(join(root, left), { force: true });
  }
}
