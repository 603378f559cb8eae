import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row, SuiteOptions } from '../suite.ts';
import { rowOf, type Trial } from '../row.ts';
import {
  failpointEnvironment,
  gitFingerprint,
  makeTestRepository,
  ralph,
  type ProcessResult,
  type Files,
  type TestRepository,
} from './test-repository.ts';
import { stateProblems } from './state-problems.ts';
import { tryAll } from './trial.ts';

const FILES: Files = { 'package.json': '{ "name": "crowd" }\n', 'src/word.txt': 'wrong\n' };
const REPAIRED = 'right\n';
/** Where a process is stopped while it holds the repository. */
const STOPS = [
  'lock.noted',
  'step.begin@1:act',
  'append.half@journal',
  'write.half@state',
  'snapshot.staged',
  'delivery.beside',
];
const FEW_STOPS = ['append.half@journal'];
const WAIT_MS = 60_000;

/** Many ralphs in one repository, some of them stopped and continued: one works at a time, and nothing is damaged. */
export async function tryCrowds({ full, onProgress }: SuiteOptions): Promise<Row[]> {
  const sizes = full ? [2, 3, 4, 5, 6, 7, 8] : [4];
  const rounds = full ? 3 : 1;
  const crowds = Array.from({ length: rounds }, () => sizes).flat();
  const together = await tryAll(crowds, 1, tryCrowd, (size) => `${size} ralphs`);
  onProgress(`${crowds.length} crowds of ${sizes.join(', ')}`);
  const stopped = await tryAll(full ? STOPS : FEW_STOPS, 1, tryStopped, String);
  onProgress(`${stopped.length} stopped holders`);
  return [
    rowOf(`2 to 8 ralphs at once in one repository (${crowds.length} crowds): one works at a time`, together),
    rowOf('a holder stopped (SIGSTOP) keeps the repository, and finishes after SIGCONT', stopped),
  ];
}

async function tryCrowd(size: number): Promise<Trial> {
  const repository = makeTestRepository(FILES);
  try {
    const before = gitFingerprint(repository.root);
    const log = join(repository.scratch, 'work.log');
    const ended = await Promise.all(Array.from({ length: size }, () => ralph(repository, argumentsFor(log))));
    return { name: `${size} ralphs`, problems: await problemsOf(repository, { ended, log, before }) };
  } finally {
    repository.remove();
  }
}

async function tryStopped(place: string): Promise<Trial> {
  const repository = makeTestRepository(FILES);
  try {
    const before = gitFingerprint(repository.root);
    const log = join(repository.scratch, 'work.log');
    let pid = 0;
    const env = failpointEnvironment(`${place}:stop`);
    const holder = ralph(repository, argumentsFor(log), { env, onStart: (started) => (pid = started) });
    const problems = (await isStopped(pid)) ? [] : ['it was not stopped'];
    const others = await Promise.all([1, 2].map(() => ralph(repository, argumentsFor(log))));
    if (others.some(({ exitCode, stderr }) => exitCode !== 4 || !stderr.includes('in use by ralph run')))
      problems.push(`others ended with ${others.map(({ exitCode }) => exitCode).join(', ')}`);
    process.kill(pid, 'SIGCONT');
    const ended = [await holder, ...others];
    if (ended[0]!.exitCode !== 0)
      problems.push(`the holder ended with ${ended[0]!.exitCode}: ${ended[0]!.stderr.slice(0, 300)}`);
    return {
      name: place,
      problems: [...problems, ...(await problemsOf(repository, { ended, log, before }))],
    };
  } finally {
    repository.remove();
  }
}

/** An actor that says when it begins and when it has ended. */
function argumentsFor(log: string): string[] {
  const actor = `echo begin >> ${log}; sleep 0.2; echo right > src/word.txt; echo end >> ${log}`;
  const check = ['--check', 'tests=grep -q right src/word.txt'];
  return [
    'run',
    'say it right',
    ...check,
    '--command',
    actor,
    '--sandbox',
    'off',
    '--quiet',
    '--format',
    'jsonl',
  ];
}

interface Crowd {
  readonly ended: readonly ProcessResult[];
  readonly log: string;
  readonly before: string;
}

async function problemsOf({ root }: TestRepository, { ended, log, before }: Crowd): Promise<string[]> {
  const problems: string[] = [];
  for (const { exitCode, stderr } of ended) {
    if (exitCode !== 0 && !(exitCode === 4 && stderr.includes('in use by')))
      problems.push(`one ended with ${exitCode}: ${stderr.slice(0, 300)}`);
  }
  if (!ended.some(({ exitCode }) => exitCode === 0)) problems.push('none finished');
  const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
  if (!/^(begin\nend\n)+$/.test(said)) problems.push(`two worked at a time: ${JSON.stringify(said)}`);
  if (readFileSync(join(root, 'src/word.txt'), 'utf8') !== REPAIRED)
    problems.push('the result is not applied');
  if (gitFingerprint(root) !== before) problems.push('index or refs changed');
  return [...problems, ...(await stateProblems(root))];
}

async function isStopped(pid: number): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    if (/^\d+ \(.*\) T/.test(statOf(pid))) return true;
    await sleep(50);
  }
  return false;
}

/** proc(5): the state stands behind the name. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
