import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import type { Row, SuiteOptions } from '../suite.ts';
import { rowOf, type Trial } from '../row.ts';
import { resumeOrRun, damageToUser } from './crash.ts';
import {
  failpointEnvironment,
  gitFingerprint,
  makeTestRepository,
  ralph,
  temporaryFolder,
  treeFingerprint,
  type ProcessResult,
  type TestRepository,
} from './test-repository.ts';
import { FILES, MODEL_ENVIRONMENT, repeatedCalls, REPAIRED, runArguments, startModel } from './model-loop.ts';
import { stateProblems } from './state-problems.ts';
import { tryAll } from './trial.ts';

/** What ralph ends with where it could not go on, and said why; 0 and 1 where it could. */
const TOLD = [0, 1, 4, 5, 6];
const ROOM = 'size=64m';
/** KiB that a file system has beyond what the repository takes. */
const SIZES = Array.from({ length: 16 }, (_, index) => 8 + 16 * index);
const FEW_SIZES = [24, 72, 120];
const OPEN_FILES = [20, 22, 24, 26, 28, 30, 32, 36, 40, 48];
const FEW_OPEN_FILES = [24, 28];
const REFUSED = ['enospc', 'eio', 'emfile'].flatMap((fault) =>
  [
    'write.half@state.json',
    'write.half@reflections',
    'append.half@journal',
    'append.half@model-calls',
    'write.half@delivery.json',
  ].map((place) => `${place}:${fault}`),
);
const FEW_REFUSED = [
  'append.half@journal:enospc:3+',
  'append.half@model-calls:enospc:2+',
  'write.half@reflections:eio',
];

/** The built program where the disk refuses: told, harmless, and over as soon as there is room again. */
export async function tryFullDisk({ full, onProgress }: SuiteOptions): Promise<Row[]> {
  const refused = full ? [...REFUSED, ...REFUSED.map((one) => `${one}:2+`)] : FEW_REFUSED;
  const rows = [
    rowOf(
      'ralph run where a write is refused: told, nothing damaged, resume finishes',
      await tryAll(refused, 2, tryRefusedWrite, String),
    ),
  ];
  onProgress(`${refused.length} refused writes`);
  const files = full ? OPEN_FILES : FEW_OPEN_FILES;
  rows.push(
    rowOf(
      'ralph run with few open files allowed: nothing damaged',
      await tryAll(files, 2, tryFewFiles, String),
    ),
  );
  onProgress(`${files.length} limits of open files`);
  const sizes = full ? SIZES : FEW_SIZES;
  if (!canMount()) {
    return [
      ...rows,
      rowOf('ralph run on a full file system', [], ['declared: not tried, a tmpfs cannot be mounted here']),
    ];
  }
  const trials = await tryAll(sizes, 1, tryTmpfs, (size) => `${size} KiB`);
  onProgress(`${sizes.length} full file systems`);
  return [
    ...rows,
    rowOf('ralph run on a tmpfs that is full: told, nothing damaged, resume finishes', trials),
  ];
}

function tryRefusedWrite(specification: string): Promise<Trial> {
  return trying(specification, makeTestRepository(FILES), {
    env: failpointEnvironment(specification),
    mayPayAgain: 1,
  });
}

function tryFewFiles(most: number): Promise<Trial> {
  const limits = `ulimit -n ${most}; exec "$@"`;
  return trying(`${most} files`, makeTestRepository(FILES), { limits, mayPayAgain: 1, anyEnd: true });
}

async function tryTmpfs(roomKib: number): Promise<Trial> {
  const place = temporaryFolder();
  const mountAt = join(place, 'disk');
  mkdirSync(mountAt);
  execaSync('mount', ['-t', 'tmpfs', '-o', ROOM, 'none', mountAt]);
  try {
    const repository = makeTestRepository(FILES, mountAt);
    const usedKib = Number(execaSync('df', ['--output=used', mountAt]).stdout.split('\n')[1]);
    const resize = (size: string): void => void execaSync('mount', ['-o', `remount,${size}`, mountAt]);
    resize(`size=${usedKib + roomKib}k`);
    return await trying(`${roomKib} KiB`, repository, { makeRoom: () => resize(ROOM), mayPayAgain: 1 });
  } finally {
    execaSync('umount', ['--lazy', mountAt]);
    rmSync(place, { recursive: true, force: true });
  }
}

interface Trouble {
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: string;
  readonly makeRoom?: () => void;
  /** Replies that could not be recorded, because of the trouble itself. */
  readonly mayPayAgain: number;
  /** The runtime itself may not come up. */
  readonly anyEnd?: boolean;
}

async function trying(name: string, repository: TestRepository, trouble: Trouble): Promise<Trial> {
  const server = await startModel();
  try {
    const before = { tree: treeFingerprint(repository.root), git: gitFingerprint(repository.root) };
    const { limits } = trouble;
    const ended = await ralph(repository, runArguments(server), {
      env: { ...MODEL_ENVIRONMENT, ...trouble.env },
      ...(limits !== undefined && { limits }),
    });
    trouble.makeRoom?.();
    const problems = trouble.anyEnd === true ? [] : untold(ended);
    problems.push(...(await stateProblems(repository.root)), ...damageToUser(repository, before, true));
    const resumed = await resumeOrRun(repository, () => runArguments(server));
    if (resumed.exitCode !== 0)
      problems.push(`resume ended with ${resumed.exitCode}: ${resumed.stderr.slice(0, 400)}`);
    problems.push(...(await stateProblems(repository.root)));
    if (readFileSync(join(repository.root, 'src/price.txt'), 'utf8') !== REPAIRED)
      problems.push('the result is not applied');
    if (gitFingerprint(repository.root) !== before.git) problems.push('index or refs changed');
    if (repeatedCalls(server) > trouble.mayPayAgain)
      problems.push(`${repeatedCalls(server)} model calls were paid twice`);
    return { name: `${name} (ended with ${ended.exitCode ?? ended.signal})`, problems };
  } finally {
    await server.close();
    repository.remove();
  }
}

function untold({ exitCode, stderr }: ProcessResult): string[] {
  const isTold = exitCode !== null && TOLD.includes(exitCode) && !stderr.includes('fault in ralph itself');
  return isTold ? [] : [`it ended with ${exitCode}: ${stderr.slice(0, 400)}`];
}

function canMount(): boolean {
  const place = temporaryFolder();
  try {
    execaSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', place], { stdio: 'ignore' });
    execaSync('umount', [place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
