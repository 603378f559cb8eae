import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { plural } from '../../../src/platform/text/plural.ts';
import {
  ADDER,
  makeTestbed,
  manifest,
  repository,
  type Files,
  type Testbed,
} from '../repositories/testbed.ts';
import { differences, takeInventory } from '../repositories/inventory.ts';
import { peakMemoryOf } from '../peak-memory.ts';
import type { Trial } from '../row.ts';
import { MAX_MEMORY_MB, MAX_OUTPUT, type Fault } from './fault.ts';

const RALPH = join(import.meta.dirname, '../../../bin/ralph.js');
/** Variable by which the surviving processes of a trial are found. */
const MARK = 'RELIABILITY_MARK';
const SLACK_SECONDS = 20;

/** Makes a repository whose check has the fault, runs `ralph evaluate`, or another program, and compares its judgement. */
export async function tryFault(
  fault: Fault,
  program: readonly string[] = [process.execPath, RALPH],
): Promise<Trial> {
  const testbed = makeTestbed();
  const mark = randomUUID();
  try {
    const root = repository(testbed, filesFor(fault));
    const before = takeInventory(testbed.place);
    const result = await evaluate(testbed, { fault, root, program, mark });
    const left = processesWith(mark);
    const problems = [
      ...problemsOf(fault, result),
      ...differences(before, takeInventory(testbed.place)),
      ...(left.length > 0 ? [`${plural(left.length, 'process', 'processes')} left`] : []),
    ];
    return { name: fault.name, problems };
  } catch (error) {
    return { name: fault.name, problems: [`the trial failed: ${String(error)}`] };
  } finally {
    for (const pid of processesWith(mark)) kill(pid);
    testbed.remove();
  }
}

/** A small package whose tests pass, with the files of the fault. */
function filesFor({ files, script }: Fault): Files {
  const source = String(ADDER['src/add.js']).replace('-', '+');
  const test = script === undefined ? {} : { scripts: { test: script } };
  return { ...ADDER, 'src/add.js': source, 'package.json': manifest(test), ...files };
}

interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly peakMb: number;
}

interface Evaluation {
  readonly fault: Fault;
  readonly root: string;
  readonly program: readonly string[];
  readonly mark: string;
}

async function evaluate(
  { env }: Testbed,
  { fault, root, program, mark }: Evaluation,
): Promise<ProcessResult> {
  const started = performance.now();
  const check = fault.command === undefined ? [] : ['--check', `tests=${fault.command}`];
  const timeout = ['--check-timeout', `${fault.timeoutSeconds ?? 30}s`];
  const [file, ...words] = [...program, 'evaluate', '--format', 'jsonl', ...timeout, ...check];
  const child = execa(file!, words, {
    cwd: root,
    env: { ...env, [MARK]: mark },
    extendEnv: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    timeout: (secondsFor(fault) + 5) * 1000,
    killSignal: 'SIGKILL',
    reject: false,
  });
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakMemoryOf(child.pid))), 50);
  let seconds = 0;
  // A surviving child may keep the output open: the end of the program itself counts.
  child.nodeChildProcess.once('exit', () => {
    seconds = (performance.now() - started) / 1000;
    setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, 200);
  });
  const result = await child;
  clearInterval(watch);
  if (result.code !== undefined && seconds === 0) throw result;
  const { exitCode = null, signal = null, stdout, stderr } = result;
  return { exitCode, signal, stdout, stderr, seconds, peakMb };
}

function problemsOf(fault: Fault, result: ProcessResult): string[] {
  const { exitCode, status, detail, output = [] } = fault.expected;
  const check = checkIn(result.stdout);
  const problems: string[] = [];
  if (result.exitCode !== exitCode)
    problems.push(`exit code ${result.exitCode ?? result.signal}, not ${exitCode}: ${tailOf(result)}`);
  if (check === undefined) problems.push('no evaluation was reported');
  else {
    if (check.status !== status) problems.push(`${check.status}, not ${status}: ${check.detail}`);
    if (!detail.test(check.detail))
      problems.push(`the detail is ${JSON.stringify(check.detail.slice(0, 200))}`);
    if (check.output.length > MAX_OUTPUT)
      problems.push(`${check.output.length} characters of output were kept`);
    for (const part of output) {
      if (!part.test(check.output))
        problems.push(`the output does not match ${part.source}: ${JSON.stringify(check.output.slice(-80))}`);
    }
  }
  if (result.seconds > secondsFor(fault)) problems.push(`it took ${Math.round(result.seconds)} s`);
  if (result.peakMb > MAX_MEMORY_MB) problems.push(`ralph used ${result.peakMb} MB`);
  return problems;
}

function secondsFor({ expected, timeoutSeconds = 30 }: Fault): number {
  return expected.withinSeconds ?? timeoutSeconds + SLACK_SECONDS;
}

interface ReportedCheck {
  readonly status: string;
  readonly detail: string;
  readonly output: string;
}

function checkIn(stdout: string): ReportedCheck | undefined {
  const line = stdout.split('\n').find((text) => text.startsWith('{"type":"baseline_evaluated"'));
  if (line === undefined) return undefined;
  try {
    return (JSON.parse(line) as { evaluation: { checks: ReportedCheck[] } }).evaluation.checks[0];
  } catch {
    // The line is longer than the output that execa keeps.
    return undefined;
  }
}

function tailOf({ stderr }: ProcessResult): string {
  return JSON.stringify(stderr.slice(-300));
}

function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && hasMark(entry, mark))
    .map(Number);
}

function hasMark(pid: string, mark: string): boolean {
  try {
    if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
