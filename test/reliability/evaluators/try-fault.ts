import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { ADDER, makeGround, manifest, repository, type Files, type Ground } from '../repositories/ground.ts';
import { differences, takeInventory } from '../repositories/inventory.ts';
import { MOST_MEMORY_MB, MOST_OUTPUT, type Fault } from './fault.ts';

const RALPH = join(import.meta.dirname, '../../../bin/ralph.js');
/** In the environment of everything that a trial starts, so that what is left of it can be found. */
const MARK = 'RELIABILITY_MARK';
const SLACK_SECONDS = 20;

/** How one fault came out. */
export interface Judged {
  readonly name: string;
  /** What did not hold, one line each. */
  readonly problems: readonly string[];
  readonly peakMb: number;
}

/** Makes a repository whose check has the fault, and has `ralph evaluate`, or another program, judge it. */
export async function tryFault(
  fault: Fault,
  program: readonly string[] = [process.execPath, RALPH],
): Promise<Judged> {
  const ground = makeGround();
  const mark = randomUUID();
  try {
    const root = repository(ground, filesFor(fault));
    const before = takeInventory(ground.place);
    const ended = await start(ground, { fault, root, program, mark });
    const left = livingWith(mark);
    const problems = [
      ...problemsOf(fault, ended),
      ...differences(before, takeInventory(ground.place)),
      ...(left.length > 0 ? [`${left.length} processes are left`] : []),
    ];
    return { name: fault.name, problems, peakMb: ended.peakMb };
  } catch (error) {
    return { name: fault.name, problems: [`it could not be tried: ${String(error)}`], peakMb: 0 };
  } finally {
    for (const pid of livingWith(mark)) kill(pid);
    ground.remove();
  }
}

/** A small package whose tests pass, but for the fault. */
function filesFor({ files, script }: Fault): Files {
  const source = String(ADDER['src/add.js']).replace('-', '+');
  const test = script === undefined ? {} : { scripts: { test: script } };
  return { ...ADDER, 'src/add.js': source, 'package.json': manifest(test), ...files };
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly peakMb: number;
}

interface Trial {
  readonly fault: Fault;
  readonly root: string;
  readonly program: readonly string[];
  readonly mark: string;
}

async function start({ env }: Ground, { fault, root, program, mark }: Trial): Promise<Ended> {
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
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 50);
  let seconds = 0;
  // A child that holds the program's output open may outlive it: only the program's own end counts.
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

/** Highest resident memory so far, in MB; 0 where there is no such process. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function problemsOf(fault: Fault, ended: Ended): string[] {
  const { exitCode, status, detail, output = [] } = fault.expected;
  const check = checkIn(ended.stdout);
  const problems: string[] = [];
  if (ended.exitCode !== exitCode)
    problems.push(`exit code ${ended.exitCode ?? ended.signal}, not ${exitCode}: ${tailOf(ended)}`);
  if (check === undefined) problems.push('no evaluation was told');
  else {
    if (check.status !== status) problems.push(`${check.status}, not ${status}: ${check.detail}`);
    if (!detail.test(check.detail))
      problems.push(`the detail is ${JSON.stringify(check.detail.slice(0, 200))}`);
    if (check.output.length > MOST_OUTPUT)
      problems.push(`${check.output.length} characters of output are kept`);
    for (const part of output) {
      if (!part.test(check.output))
        problems.push(`the output lacks ${part.source}: ${JSON.stringify(check.output.slice(-80))}`);
    }
  }
  if (ended.seconds > secondsFor(fault)) problems.push(`it took ${Math.round(ended.seconds)} s`);
  if (ended.peakMb > MOST_MEMORY_MB) problems.push(`ralph took ${ended.peakMb} MB`);
  return problems;
}

function secondsFor({ expected, timeoutSeconds = 30 }: Fault): number {
  return expected.withinSeconds ?? timeoutSeconds + SLACK_SECONDS;
}

interface ToldCheck {
  readonly status: string;
  readonly detail: string;
  readonly output: string;
}

function checkIn(stdout: string): ToldCheck | undefined {
  const line = stdout.split('\n').find((text) => text.startsWith('{"type":"baseline_evaluated"'));
  if (line === undefined) return undefined;
  return (JSON.parse(line) as { evaluation: { checks: ToldCheck[] } }).evaluation.checks[0];
}

function tailOf({ stderr }: Ended): string {
  return JSON.stringify(stderr.slice(-300));
}

function livingWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && carries(entry, mark))
    .map(Number);
}

function carries(pid: string, mark: string): boolean {
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
    // Gone by itself.
  }
}
