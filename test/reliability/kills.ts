import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  gitFingerprint,
  makeTestRepository,
  ralph,
  type TestRepository,
} from './durability/test-repository.ts';
import { stateProblems } from './durability/state-problems.ts';
import { tryAll } from './durability/trial.ts';
import { JOURNEYS, type Journey } from './kills/journeys.ts';
import { rowOf, type Trial } from './row.ts';
import type { Suite } from './suite.ts';
import { createRandom } from './text/random.ts';

const FULL = 50;
const REDUCED = 1;
/** The kernel takes a moment to end a name space, on a busy machine seconds; what is left by mistake sleeps for longer. */
const END_MS = 20_000;

/** kill -9 at moments drawn from the seed, in each way to use the program; then the same again. */
export const killsSuite: Suite = {
  name: 'kills',
  async run({ full, seed, onProgress }) {
    const rows = [];
    for (const journey of JOURNEYS) {
      const random = createRandom(seed);
      const lengthMs = await lengthOf(journey);
      const moments = Array.from({ length: full ? FULL : REDUCED }, () => Math.round(random() * lengthMs));
      let done = 0;
      const trials = await tryAll(
        moments,
        2,
        async (momentMs) => {
          const trial = await tryKill(journey, momentMs);
          onProgress(
            `${journey.name} ${++done} of ${moments.length}, after ${momentMs} ms: ${trial.problems.join('; ') || 'held'}`,
          );
          return trial;
        },
        (momentMs) => `${journey.name} after ${momentMs} ms`,
      );
      rows.push(
        rowOf(`${journey.name} killed at random moments: nothing lost, nothing left, then finished`, trials),
      );
    }
    return rows;
  },
};

/** How long the program takes if nobody kills it. */
async function lengthOf(journey: Journey): Promise<number> {
  const repository = makeTestRepository(journey.files);
  try {
    await journey.prepare?.(repository);
    const started = performance.now();
    const ended = await ralph(repository, journey.args);
    const problems = journey.problems(repository, ended);
    if (problems.length > 0) throw new Error(`${journey.name} without a kill: ${problems.join('; ')}`);
    return performance.now() - started;
  } finally {
    repository.remove();
  }
}

async function tryKill(journey: Journey, momentMs: number): Promise<Trial> {
  const repository = makeTestRepository(journey.files);
  try {
    await journey.prepare?.(repository);
    const before = { git: gitFingerprint(repository.root), files: filesOf(repository) };
    await ralph(repository, journey.args, {
      onStart: (pid) => void delay(momentMs, undefined, { ref: false }).then(() => killTree(pid)),
    });
    const problems = [...(await leftProcesses(repository)).map((line) => `left running: ${line}`)];
    problems.push(...(await stateProblems(repository.root)));
    const changed = changesOf(before.files, filesOf(repository));
    problems.push(
      ...changed
        .filter((path) => !journey.delivers.includes(path) && !isHalfWritten(path, journey))
        .map((path) => `the user's ${path} changed`),
    );
    const ended = await journey.again(repository);
    problems.push(...journey.problems(repository, ended));
    if (gitFingerprint(repository.root) !== before.git) problems.push('index or refs changed');
    const left = changesOf(before.files, filesOf(repository)).filter(
      (path) => !journey.delivers.includes(path),
    );
    problems.push(...left.map((path) => `left in the user's tree: ${path}`));
    problems.push(...(await stateProblems(repository.root)), ...leftFolders(repository));
    problems.push(...(await leftProcesses(repository)).map((line) => `left running in the end: ${line}`));
    return { name: `${journey.name} after ${momentMs} ms`, problems };
  } finally {
    repository.remove();
  }
}

/** Whether the kill came while a file that may change was written beside the old one: the next call removes it. */
function isHalfWritten(path: string, { delivers }: Journey): boolean {
  const ours = /^(.*\/)?(?:\.ralph-delivery\.tmp|\.([^/]+)\.\d+-[0-9a-f]{12}\.ralph-tmp)$/.exec(path);
  if (ours === null) return false;
  const [, folder = '', name] = ours;
  return delivers.some((one) =>
    name === undefined
      ? one.startsWith(folder) && !one.slice(folder.length).includes('/')
      : one === folder + name,
  );
}

/** The program, and the program that it may have started as itself with a newer Node. */
function killTree(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Processes that work in the repository or in its temporary folder, or name one of them. */
async function leftProcesses(repository: TestRepository): Promise<string[]> {
  const deadline = performance.now() + END_MS;
  let found = processesOf(repository);
  while (found.length > 0 && performance.now() < deadline) {
    await delay(100);
    found = processesOf(repository);
  }
  return found;
}

function processesOf({ root, scratch }: TestRepository): string[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ');
      const places = [readlinkSync(`/proc/${entry}/cwd`), line];
      const isOurs = places.some((text) => text.includes(root) || text.includes(scratch));
      return isOurs ? [`${entry} ${line.slice(0, 120)}`] : [];
    } catch {
      return [];
    }
  });
}

/** What is left in the folder for temporary files, but for the workspace, which later loops use again. */
function leftFolders({ scratch }: TestRepository): string[] {
  const own = `ralph-${process.getuid?.() ?? ''}`;
  return readdirSync(scratch)
    .filter((name) => name !== own && /^ralph/.test(name))
    .map((name) => `left in the temporary folder: ${name}`);
}

function filesOf({ root }: TestRepository): ReadonlyMap<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !/^(\.git|\.aiwg)\//.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}
