import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FILE_CASE } from '../../checks/results/test-results.ts';
import type { AcceptanceRequest, Bench, CheckPlan, CheckReport } from '../../ports.ts';
import type { AcceptanceFile } from '../../schema/generated.ts';
import { pathProblem, type TestPlace } from './place.ts';
import { isRightReason } from './right-reason.ts';
import { scanTests, type DeclaredTest, type ScannedFile } from './scan-tests.ts';

/** A file of which at least one test counts; it is in the root. */
export interface VettedFile {
  readonly path: string;
  readonly tests: readonly DeclaredTest[];
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
export async function vetFile(
  { path, content }: AcceptanceFile,
  vetting: Vetting,
): Promise<VettedFile | undefined> {
  const { place, request, reject, most } = vetting;
  const { root } = request;
  const scan = scanTests(content, path);
  const problem = pathProblem(path, place, root) ?? scan.problems[0] ?? importProblem(scan, path, request);
  if (problem !== undefined) {
    reject(`${path} ${problem}.`);
    return undefined;
  }
  let kept = scan.tests.filter(({ asserts, title }) => {
    if (!asserts) reject(`${path}: "${title}" has no assertion.`);
    return asserts;
  });
  for (const { title } of kept.slice(most)) reject(`${path}: "${title}" is over the limit of tests.`);
  kept = kept.slice(0, most);
  const file = join(root, path);
  const keepsFile = await mkdir(dirname(file), { recursive: true })
    .then(() => writeFile(file, '', { flag: 'wx' }))
    .then(
      () => true,
      () => false,
    );
  if (!keepsFile) {
    reject(`${path} could not be written.`);
    return undefined;
  }
  let done = false;
  try {
    for (let run = 0; run < RUNS && kept.length > 0; run++) {
      await writeFile(file, cutTests(content, scan.tests, kept));
      kept = await runOnce({ path, scan, kept, isFirst: run === 0 }, vetting);
    }
    await writeFile(file, cutTests(content, scan.tests, kept));
    done = kept.length > 0 && !request.signal.aborted;
  } finally {
    if (!done) await rm(file, { force: true });
  }
  return done ? { path, tests: kept } : undefined;
}

interface Run {
  readonly path: string;
  readonly scan: ScannedFile;
  readonly kept: readonly DeclaredTest[];
  readonly isFirst: boolean;
}

/** The tests that behave as they must in one run. */
async function runOnce(run: Run, vetting: Vetting): Promise<DeclaredTest[]> {
  const { path, kept, scan, isFirst } = run;
  const { bench, plan, request, reject } = vetting;
  const report = await bench.run(plan.name, { files: [path], timeoutMs: TIMEOUT_MS, signal: request.signal });
  const missing = missingImports(scan, path, request.root).map((name) => basename(name));
  return kept.filter((test) => {
    const reason = problemOf(test, { report, path, missing, wanted: vetting.wanted });
    if (reason === undefined) return true;
    reject(`${path}: "${test.title}" ${isFirst ? reason : `is not stable: in another run it ${reason}`}.`);
    return false;
  });
}

interface Judged {
  readonly report: CheckReport;
  readonly path: string;
  readonly missing: readonly string[];
  readonly wanted: Vetting['wanted'];
}

function problemOf({ name }: DeclaredTest, { report, path, missing, wanted }: Judged): string | undefined {
  if (report.status === 'error') return `could not run: ${report.detail}`;
  const result = report.tests.find((test) => test.name === name && (test.file ?? path) === path);
  if (wanted === 'green') return result?.status === 'passed' ? undefined : 'does not pass on the change';
  if (result?.status === 'passed') return 'already passes';
  if (result !== undefined && result.status !== 'failed') return 'did not run';
  const isWhole = result === undefined;
  const failures = report.diagnostics.filter(
    ({ severity, test_id: id, rule }) =>
      severity === 'error' && (isWhole ? rule === FILE_CASE || id === undefined : id === result.id),
  );
  if (failures.length === 0) return 'was not run by the test runner';
  const wrong = failures.find((failure) =>
    isWhole && failure.type === 'test_failure' ? true : !isRightReason(failure, missing),
  );
  return wrong === undefined
    ? undefined
    : `fails for another reason than a missing behaviour: ${firstLine(wrong.message)}`;
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 300);
}

/** Relative imports that exist neither as a file nor with an ending added. */
function missingImports({ imports }: ScannedFile, path: string, root: string): string[] {
  return imports.filter((name) => name.startsWith('.') && !isThere(join(root, dirname(path), name)));
}

function isThere(file: string): boolean {
  const endings = ['', '.js', '.ts', '.tsx', '.jsx', '.mjs', '.cjs', '.json', '/index.js', '/index.ts'];
  // TypeScript sources are imported by the name of their output.
  return (
    endings.some((ending) => existsSync(file + ending)) ||
    existsSync(file.replace(/\.([cm]?)js(x?)$/, '.$1ts$2'))
  );
}

function importProblem(
  scan: ScannedFile,
  path: string,
  { root, task, stated }: AcceptanceRequest,
): string | undefined {
  const outside = scan.imports.find(
    (name) => name.startsWith('/') || (name.startsWith('.') && join(dirname(path), name).startsWith('..')),
  );
  if (outside !== undefined) return `imports ${outside}, which is outside of the repository`;
  const text = [task, ...stated].join('\n');
  const isNamed = (name: string): boolean => {
    const file = join(dirname(path), name).replaceAll('\\', '/');
    const stem = file.replace(/\.[cm]?[jt]sx?$/, '');
    return (
      text.includes(file) || (stem.includes('/') && text.includes(stem)) || text.includes(basename(file))
    );
  };
  const unnamed = missingImports(scan, path, root).find((name) => !isNamed(name));
  return unnamed === undefined
    ? undefined
    : `imports ${unnamed}, which neither exists nor is named by the task`;
}

/** The text of a file with only the kept tests. */
export function cutTests(text: string, all: readonly DeclaredTest[], kept: readonly DeclaredTest[]): string {
  return all
    .filter((test) => !kept.includes(test))
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}
