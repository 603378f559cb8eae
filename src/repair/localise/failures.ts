import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Diagnostic, TestCase } from '../../schema/generated.ts';
import { holdsTests, isEditableSource, isTestFile } from '../syntax/source-files.ts';
import type { LineFactors } from './line-factors.ts';
import type { TestTrace } from './trace-tests.ts';

/** Failing tests of one file that are searched for together. */
export interface FailureGroup {
  /** Name of the check that ran them. */
  readonly check: string;
  /** The test file, relative to the root. */
  readonly file: string;
  /** Empty for a file without any report after a time-out: it may contain an endless loop. */
  readonly tests: readonly TestCase[];
  readonly diagnostics: readonly Diagnostic[];
  /** Present if the file was traced already. */
  readonly trace?: TestTrace;
  /** Evidence that is independent of the tests. */
  readonly lineFactors?: LineFactors;
}

/**
 * Failing tests by file. Groups with a stack frame in source code come first, then larger ones. After a time-out of
 * the whole check, test files without any report are added.
 */
export function failureGroups({
  root,
  evaluation,
  project,
}: Pick<AttemptContext, 'root' | 'evaluation' | 'project'>): FailureGroup[] {
  const checks = project.checks.filter(({ kind }) => kind === 'tests').map(({ name }) => name);
  const failures = evaluation.diagnostics.filter(
    ({ check, severity }) => severity === 'error' && checks.includes(check),
  );
  const places = placesOf(failures);
  let files: readonly string[] | undefined;
  const testFiles = (): readonly string[] => (files ??= filesBelow(root, '').filter(isTestFile));
  const failed = evaluation.tests
    .filter(({ status }) => status === 'failed')
    .flatMap((test) => {
      const known = test.file ?? places.get(test.id);
      const inFiles = known === undefined ? declaringFiles(root, test.name, testFiles()) : [known];
      return inFiles.map((file) => ({ file, test }));
    });
  const byFile = Map.groupBy(failed, ({ file }) => file);
  const groups = [...byFile].map(([file, found]): FailureGroup => {
    const tests = found.map(({ test }) => test);
    const ids = new Set(tests.map(({ id }) => id));
    const diagnostics = failures.filter((failure) =>
      failure.test_id === undefined ? testFileOf(failure) === file : ids.has(failure.test_id),
    );
    return { check: diagnostics[0]?.check ?? checks[0]!, file, tests, diagnostics };
  });
  groups.push(...crashes(failures, new Set(byFile.keys()), testFiles));
  groups.sort((a, b) => framesInSource(b) - framesInSource(a) || b.tests.length - a.tests.length);
  const timeOut = failures.find(({ type, test_id }) => type === 'timeout' && test_id === undefined);
  if (timeOut === undefined) return groups;
  const running = failures.flatMap(({ type, file }) =>
    type === 'timeout' && file !== undefined ? [file] : [],
  );
  const silent = running.length > 0 ? running : silentTestFiles(root, evaluation.tests);
  return [...groups, ...silent.map((file) => ({ check: timeOut.check, file, tests: [], diagnostics: [] }))];
}

/** By test id, the test file in the stack of its failure: TAP names no files. */
function placesOf(failures: readonly Diagnostic[]): Map<string, string | undefined> {
  return new Map(failures.flatMap((it) => (it.test_id === undefined ? [] : [[it.test_id, testFileOf(it)]])));
}

const MAX_DECLARING_FILES = 3;

/**
 * The test files that declare a test of this name: a failure such as a wrong plan has no stack, and TAP names no files. None
 * where too many do.
 */
function declaringFiles(root: string, name: string, testFiles: readonly string[]): string[] {
  const title = name.split(' > ')[0]!.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const declares = new RegExp(String.raw`\(\s*(['"\x60])${title}\1\s*,`);
  const found = testFiles.filter((file) => declares.test(textOf(join(root, file))));
  return found.length > MAX_DECLARING_FILES ? [] : found.sort();
}

/** The outermost file in a failure's stack that is no source; undefined without one. */
function testFileOf({ file, frames = [] }: Diagnostic): string | undefined {
  const inStack = frames.findLast((frame) => !isEditableSource(frame.file))?.file;
  return inStack ?? (file === undefined || isEditableSource(file) ? undefined : file);
}

/**
 * A group without tests for each file whose program ended by an error outside of every test. A crash in a source that names no test
 * file is one of each of the few test files that there are, as long as no test failed.
 */
function crashes(
  failures: readonly Diagnostic[],
  known: ReadonlySet<string | undefined>,
  testFiles: () => readonly string[],
): FailureGroup[] {
  const crashed = failures.filter((it) => it.test_id === undefined && it.type !== 'timeout');
  const byFile = Map.groupBy(crashed, testFileOf);
  const groups = [...byFile].flatMap(([file, diagnostics]) =>
    file === undefined || known.has(file) ? [] : [groupOf(file, diagnostics)],
  );
  const nameless = (byFile.get(undefined) ?? []).filter(({ file }) => file !== undefined);
  if (
    groups.length > 0 ||
    known.size > 0 ||
    nameless.length === 0 ||
    testFiles().length > MAX_DECLARING_FILES
  )
    return groups;
  return testFiles().map((file) => groupOf(file, nameless));
}

function groupOf(file: string, diagnostics: readonly Diagnostic[]): FailureGroup {
  return { check: diagnostics[0]!.check, file, tests: [], diagnostics };
}

const MAX_SILENT_FILES = 8;

function silentTestFiles(root: string, tests: readonly TestCase[]): string[] {
  const reported = new Set(tests.map(({ file }) => file));
  return filesBelow(root, '')
    .filter((file) => holdsTests(file) && !reported.has(file))
    .sort()
    .slice(0, MAX_SILENT_FILES);
}

/** Paths relative to the root, with forward slashes, without installed packages and hidden folders. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) return [path];
    const isOwn = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
    return isOwn ? filesBelow(root, path) : [];
  });
}

/**
 * One sentence if every failure is due to the environment, such as a missing package or a port in use; otherwise
 * undefined.
 */
export function environmentProblem(diagnostics: readonly Diagnostic[]): string | undefined {
  const failing = diagnostics.filter(({ severity }) => severity === 'error');
  const problems = failing.map(({ message }) =>
    ENVIRONMENT_ERRORS.map((pattern) => pattern.exec(message)?.[0]).find(Boolean),
  );
  return failing.length > 0 && problems.every((problem) => problem !== undefined)
    ? `The environment, not the code, is at fault: ${problems[0]!.trim()}`
    : undefined;
}

/** A specifier that starts with `.` or `/` is a file of the repository: if that is missing, the code is at fault. */
const ENVIRONMENT_ERRORS = [
  /Cannot find (module|package) ['"](?![./]|[A-Za-z]:)[^'"]+['"].*/,
  /Failed to resolve import ["'](?![./@~#])[^"']+["'].*/,
  /EADDRINUSE.*/,
  /\bspawn \S+ ENOENT.*/,
  /\bcommand not found\b.*/,
  /ECONNREFUSED.*/,
];

function framesInSource({ file, diagnostics }: FailureGroup): number {
  return diagnostics.some(({ frames }) => frames?.some((frame) => frame.file !== file)) ? 1 : 0;
}
