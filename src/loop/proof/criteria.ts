import type { CheckPlan } from '../../ports/plan.ts';
import type { CheckResult, Criterion, Diagnostic, Evaluation, TestCase } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';

/** The user's own new tests, as a criterion of the task. */
export interface AcceptTests {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
  readonly source: 'accept_tests' | 'task_file';
}

/** Everything that may become a criterion, besides the checks that are red on the base. */
export interface CriterionSources {
  readonly checks: readonly CheckPlan[];
  readonly acceptTests: readonly AcceptTests[];
  /** Criteria of tests written for the task. */
  readonly written: readonly Criterion[];
  /** Test files of `written`. */
  readonly writtenFiles: readonly string[];
}

/** A criterion, and how an evaluation decides it. */
export interface DecidableCriterion {
  readonly criterion: Criterion;
  /** Names of the checks that show it again on the base; empty for tests that were already run several times. */
  readonly checks: readonly string[];
  /** Test files to which such a run is limited; empty for all. */
  readonly files: readonly string[];
  readonly isGreen: (evaluation: Evaluation) => boolean;
  /** Its text and tests where an evaluation makes only a part of it green; undefined if it is all or nothing. */
  readonly partOf?: (evaluation: Evaluation) => Pick<Criterion, 'text' | 'tests'> | undefined;
}

const MAX_TESTS = 200;

/** The criteria of a loop in the order of their weight as a proof, with `red_before` from the evaluation of the base. */
export function criteriaOf(base: Evaluation, sources: CriterionSources): DecidableCriterion[] {
  const testChecks = sources.checks.flatMap(({ kind, name }) => (kind === 'tests' ? [name] : []));
  const files = new Set([...sources.acceptTests.map(({ file }) => file), ...sources.writtenFiles]);
  const found = [
    ...sources.checks.flatMap(commandCriterion),
    ...sources.acceptTests.map((tests) => testFileCriterion(tests, testChecks)),
    ...sources.written.map((criterion) => writtenCriterion(criterion, sources.writtenFiles)),
  ].map((one) => ({ ...one, criterion: { ...one.criterion, red_before: !one.isGreen(base) } }));
  const names = new Set(sources.checks.flatMap(({ name, criterion }) => (criterion ? [name] : [])));
  const repairs = base.checks
    .filter(({ name, status }) => !names.has(name) && status !== 'pass' && status !== 'skip')
    .flatMap((check) => repairCriterion(check, base, files));
  return [...found, ...repairs].map((one, index) => ({
    ...one,
    criterion: { ...one.criterion, id: `C${index + 1}` },
  }));
}

/** The criteria with `green_after` from the evaluation of an attempt. */
export function decideCriteria(criteria: readonly DecidableCriterion[], evaluation: Evaluation): Criterion[] {
  return criteria.map(({ criterion, isGreen, partOf }) => ({
    ...criterion,
    ...partOf?.(evaluation),
    green_after: isGreen(evaluation),
  }));
}

/** True for a criterion that was red on the base and is green now. */
export function isProof({ red_before: red, green_after: green }: Criterion): boolean {
  return red && green;
}

/** The tests of a criterion's entry, which is `file: name` or `file`. */
export function testsNamed(entry: string, tests: readonly TestCase[]): readonly TestCase[] {
  const exact = tests.filter(({ file, name, id }) => `${file ?? ''}: ${name}` === entry || id === entry);
  if (exact.length > 0) return exact;
  return tests.filter(({ file }) => file !== undefined && (entry === file || entry.startsWith(`${file}: `)));
}

const UNDECIDED = { id: 'C1', red_before: false, green_after: false, tests: [] };

function commandCriterion({ name, args, criterion }: CheckPlan): DecidableCriterion[] {
  if (criterion === undefined) return [];
  const isGreen = ({ checks }: Evaluation): boolean =>
    checks.find((check) => check.name === name)?.status === 'pass';
  const { text, source } = criterion;
  const undecided = { ...UNDECIDED, text, source, command: args.join(' ') };
  return [{ criterion: undecided, checks: [name], files: [], isGreen }];
}

function testFileCriterion(
  { file, text, source }: AcceptTests,
  checks: readonly string[],
): DecidableCriterion {
  const criterion: Criterion = { ...UNDECIDED, text, source, tests: [file] };
  return {
    criterion,
    checks,
    files: [file],
    isGreen: ({ tests }) => allPass(tests.filter((test) => test.file === file)),
  };
}

function writtenCriterion(criterion: Criterion, files: readonly string[]): DecidableCriterion {
  const entries = criterion.tests.length > 0 ? criterion.tests : files;
  return {
    criterion,
    checks: [],
    files: [],
    isGreen: ({ tests }) => entries.length > 0 && entries.every((entry) => allPass(testsNamed(entry, tests))),
  };
}

/** None if every failing test of the check belongs to another criterion, or every error is in the files of another. */
function repairCriterion(
  check: CheckResult,
  base: Evaluation,
  elsewhere: ReadonlySet<string>,
): DecidableCriterion[] {
  const owned = base.tests.filter(({ status }) => status === 'failed' && isOf(check, base));
  const red = owned.filter(({ file }) => file === undefined || !elsewhere.has(file));
  if (owned.length > 0 && red.length === 0) return [];
  const errors = base.diagnostics.filter(
    ({ check: name, severity }) => name === check.name && severity === 'error',
  );
  const isElsewhere = ({ file }: Diagnostic): boolean => file !== undefined && elsewhere.has(file);
  if (check.kind !== 'tests' && errors.length > 0 && errors.every(isElsewhere)) return [];
  const criterion: Criterion = {
    ...UNDECIDED,
    text: repairText(check, red.length),
    source: 'check',
    red_before: true,
    tests: red
      .slice(0, MAX_TESTS)
      .map(({ file, name, id }) => (file === undefined ? id : `${file}: ${name}`)),
  };
  const isGreen = ({ checks }: Evaluation): boolean => {
    const now = checks.find(({ name }) => name === check.name);
    return now !== undefined && (now.status === 'pass' || isBetter(now, check));
  };
  const partOf = ({ checks, tests }: Evaluation): Pick<Criterion, 'text' | 'tests'> | undefined => {
    const now = checks.find(({ name }) => name === check.name);
    if (now === undefined || now.status === 'pass' || criterion.tests.length === 0) return undefined;
    const fixed = criterion.tests.filter((entry) => allPass(testsNamed(entry, tests)));
    const total = red.length;
    const text = `${check.name}: ${fixed.length} of ${plural(total, 'failing test')} ${fixed.length === 1 ? 'passes' : 'pass'}`;
    return fixed.length === 0 ? undefined : { text, tests: fixed };
  };
  const files = red.flatMap(({ file }) => file ?? []);
  const isByFile = files.length > 0 && files.length === red.length;
  return [{ criterion, checks: [check.name], files: isByFile ? [...new Set(files)] : [], isGreen, partOf }];
}

/** Test cases do not name their check: they belong to it if it is the only one that reports tests. */
function isOf(check: CheckResult, { checks }: Evaluation): boolean {
  if (check.kind !== 'tests') return false;
  return checks.filter(({ kind, total }) => kind === 'tests' && total > 0).length === 1;
}

function repairText({ name, kind, failed, errors }: CheckResult, red: number): string {
  const count = red || failed;
  if (kind === 'tests' && count > 0)
    return `${name}: ${plural(count, 'failing test')} ${count === 1 ? 'passes' : 'pass'}`;
  return errors > 0 ? `${name}: ${plural(errors, 'error')} fixed` : `${name} passes`;
}

/** Fewer failures and no more errors: enough where `--no-regressions` accepts the rest. */
function isBetter(now: CheckResult, before: CheckResult): boolean {
  return now.status === 'fail' && now.failed + now.errors < before.failed + before.errors;
}

function allPass(tests: readonly TestCase[]): boolean {
  const run = tests.filter(({ status }) => status !== 'skipped');
  return run.length > 0 && run.every(({ status }) => status === 'passed');
}
