import type { Bench } from '../../ports.ts';
import type { AcceptanceRequest } from '../../ports/acceptance.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { AcceptanceFile, Diagnostic, TestCase } from '../../schema/generated.ts';
import { importProblem, missingFiles, ownImports } from './imports.ts';
import { createNewFile, type NewFile } from './new-file.ts';
import { pathProblem, type TestPlace } from './place.ts';
import { isRightReason, type FailureGround } from './right-reason.ts';
import { scanTests, type DeclaredTest, type ScannedFile } from './scan-tests.ts';
import { passesWithStub } from './stubs.ts';
import { FILE_CASE } from '../../schema/file-case.ts';

/** A file of which at least one test counts; it is in the root. */
export interface VettedFile {
  readonly path: string;
  readonly tests: readonly VettedTest[];
  /** Keeps only these tests in the file. */
  readonly keep: (tests: readonly VettedTest[]) => Promise<void>;
  /** Removes it with everything that was made for it. */
  readonly remove: () => Promise<void>;
}

export interface VettedTest {
  readonly declared: DeclaredTest;
  /** Names as reported: one for each case of a table. */
  readonly names: readonly string[];
}

export interface Vetting {
  readonly request: AcceptanceRequest;
  readonly bench: Bench;
  readonly plan: CheckPlan;
  readonly place: TestPlace;
  /** `red`: tests must fail on the tree for the right reason. `green`: they must pass. */
  readonly wanted: 'red' | 'green';
  /** Maximum number of tests that the file may keep. */
  readonly most: number;
  /** Receives each rejected test or file as one sentence. */
  readonly reject: (sentence: string) => void;
}

const RUNS = 3;
const TIMEOUT_MS = 60_000;

/** Writes a file and runs it three times. Rejected tests are cut from it; a file without tests is removed again. */
export async function vetFile(answer: AcceptanceFile, vetting: Vetting): Promise<VettedFile | undefined> {
  const { path, content } = answer;
  const { place, request, reject } = vetting;
  const { root, project } = request;
  const scan = scanTests(content, path, ownImports(root, project.packageDir));
  const problem =
    pathProblem(path, place, root) ?? scan.problems[0] ?? importProblem(scan.imports, path, request);
  if (problem !== undefined) {
    reject(`${path} ${problem}.`);
    return undefined;
  }
  const file = await createNewFile(root, path).catch(() => undefined);
  if (file === undefined) {
    reject(`${path} could not be written.`);
    return undefined;
  }
  let tests: readonly VettedTest[] = [];
  try {
    tests = await runThrice(answer, { scan, file }, vetting);
  } finally {
    if (tests.length === 0 || request.signal.aborted) await file.remove();
  }
  if (tests.length === 0 || request.signal.aborted) return undefined;
  const keep = (kept: readonly VettedTest[]): Promise<void> => file.write(cutTests(content, scan, kept));
  return { path, tests, keep, remove: file.remove };
}

async function runThrice(
  { path, content }: AcceptanceFile,
  { scan, file }: { readonly scan: ScannedFile; readonly file: NewFile },
  vetting: Vetting,
): Promise<readonly VettedTest[]> {
  const { request, reject } = vetting;
  const missing = missingFiles(scan.imports, path, request.root);
  const ground = { root: request.root, path, text: content, members: scan.tied.members, missing };
  let kept: readonly VettedTest[] = countable(scan, path, vetting).map((declared) => ({
    declared,
    names: [declared.name],
  }));
  for (let run = 0; run < RUNS && kept.length > 0 && !request.signal.aborted; run++) {
    await file.write(cutTests(content, scan, kept));
    const report = await vetting.bench.run(vetting.plan.name, {
      files: [path],
      timeoutMs: TIMEOUT_MS,
      signal: request.signal,
    });
    kept = kept.flatMap(({ declared }) => {
      const judged = judge(declared, { report, ground, wanted: vetting.wanted });
      if (typeof judged !== 'string') return [{ declared, names: judged }];
      const reason = run === 0 ? judged : `is not stable: in another run it ${judged}`;
      reject(`${path}: "${declared.title}" ${reason}.`);
      return [];
    });
  }
  const text = cutTests(content, scan, kept);
  await file.write(text);
  return vetting.wanted === 'red' && kept.length > 0
    ? withoutHollow({ path, content: text }, kept, vetting)
    : kept;
}

/** The tests; none if all of them pass with a function that does nothing of use. */
async function withoutHollow(
  { path, content }: AcceptanceFile,
  tests: readonly VettedTest[],
  { bench, plan, request: { root, signal }, reject }: Vetting,
): Promise<readonly VettedTest[]> {
  const names = tests.flatMap((test) => test.names);
  const asked = {
    root,
    path,
    text: content,
    tests: names,
    bench,
    check: plan.name,
    timeoutMs: TIMEOUT_MS,
    signal,
  };
  const does = await passesWithStub(asked);
  if (does === undefined) return tests;
  reject(
    `${path}: every test passes with a function that only ${does}. Compare its results with what the task wants.`,
  );
  return [];
}

/** The tests of a file that may count, up to the limit. */
function countable({ tests }: ScannedFile, path: string, { most, reject }: Vetting): DeclaredTest[] {
  let room = most;
  return tests.filter(({ title, problem, count }) => {
    if (problem === undefined && count <= room) {
      room -= count;
      return true;
    }
    reject(`${path}: "${title}" ${problem ?? 'is over the limit of tests'}.`);
    return false;
  });
}

interface Judged {
  readonly report: CheckReport;
  readonly ground: FailureGround;
  readonly wanted: Vetting['wanted'];
}

/** The reported names of a test that behaves as it must, or a reason to reject it as a sentence part. */
function judge(test: DeclaredTest, judged: Judged): readonly string[] | string {
  const { report, ground, wanted } = judged;
  if (report.status === 'error') return `could not run: ${report.detail}`;
  const results = report.tests.filter(
    ({ name, file }) =>
      (file ?? ground.path) === ground.path && (test.cases?.test(name) ?? name === test.name),
  );
  if (results.length === 0)
    return wanted === 'red' ? judgeUnreported(test, judged) : 'does not pass on the change';
  for (const result of results) {
    const reason = wanted === 'green' ? greenProblem(result) : redProblem(result, judged);
    if (reason !== undefined) return reason;
  }
  return results.map(({ name }) => name);
}

function greenProblem({ status }: TestCase): string | undefined {
  return status === 'passed' ? undefined : 'does not pass on the change';
}

function redProblem({ id, status }: TestCase, { report, ground }: Judged): string | undefined {
  if (status === 'passed') return 'already passes';
  if (status !== 'failed') return 'did not run';
  const failures = report.diagnostics.filter(
    ({ severity, test_id: of }) => severity === 'error' && of === id,
  );
  return failures.length === 0 ? 'fails without a reason' : wrongReason(failures, ground);
}

/** Judges a test of a file that failed as a whole, for example at an import. */
function judgeUnreported(test: DeclaredTest, { report, ground }: Judged): readonly string[] | string {
  const failures = report.diagnostics.filter(
    ({ severity, test_id: id, rule }) => severity === 'error' && (rule === FILE_CASE || id === undefined),
  );
  const own = failures.filter(({ file }) => file === undefined || file === ground.path);
  const whole = own.length > 0 ? own : failures;
  if (whole.length === 0) return 'was not run by the test runner';
  const isBare = whole.every(({ type }) => type === 'test_failure');
  const reason = isBare
    ? 'fails outside of its tests'
    : wrongReason(
        whole.filter(({ type }) => type !== 'test_failure'),
        ground,
      );
  if (reason !== undefined) return reason;
  return test.cases === undefined
    ? [test.name]
    : 'is a table whose cases are not reported while the file does not load: import the module whole (import * as api)';
}

function wrongReason(failures: readonly Diagnostic[], ground: FailureGround): string | undefined {
  const wrong = failures.find((failure) => !isRightReason(failure, ground));
  return wrong === undefined
    ? undefined
    : `fails for another reason than a missing behaviour: ${firstLine(wrong.message)}`;
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 300);
}

/** The text of a file with only the kept tests. */
function cutTests(text: string, { tests }: ScannedFile, kept: readonly VettedTest[]): string {
  const declared = new Set(kept.map((test) => test.declared));
  return tests
    .filter((test) => !declared.has(test))
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}
