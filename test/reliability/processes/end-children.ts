import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { CHILDREN, ENDINGS, type Ending } from './children.ts';
import { endAll, processesNamed, survivorsOf } from './survivors.ts';

export interface ChildTrials {
  readonly tried: number;
  /** Children that survived, or did not start. */
  readonly problems: readonly string[];
}

/** Argument of `sleep` by which a child is found; unique for each trial. */
let seconds = 700_000 + (process.pid % 1000) * 100;

/** Runs a program with each kind of child, ends it in each way, `rounds` times, and looks for survivors. */
export async function endChildren(rounds: number, confined: boolean): Promise<ChildTrials> {
  const root = makeTemporaryFolder('children');
  try {
    const sandbox = confined ? await sandboxFor(root) : undefined;
    const problems: string[] = [];
    let tried = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [child, line] of Object.entries(CHILDREN)) {
        for (const ending of ENDINGS) {
          tried++;
          const problem = await endOne({ line, ending, root, sandbox });
          if (problem !== undefined) problems.push(`${child}, ended ${ending}: ${problem}`);
        }
      }
    }
    return { tried, problems };
  } finally {
    removeTemporaryFolder(root);
  }
}

interface Case {
  readonly line: string;
  readonly ending: Ending;
  readonly root: string;
  readonly sandbox: Sandbox | undefined;
}

async function endOne({ line, ending, root, sandbox }: Case): Promise<string | undefined> {
  const task = `sleep ${++seconds}`;
  const stop = new AbortController();
  const started = new Set<number>();
  const own = ending === 'by itself' ? 'sleep 0.2' : 'sleep 30';
  const watch = setInterval(() => processesNamed(String(seconds)).forEach((pid) => started.add(pid)), 20);
  const running = runProcess({
    shell: `${line.replaceAll('TASK', task)}\n${own}`,
    cwd: root,
    env: childEnvironment(),
    sandbox,
    signal: stop.signal,
    timeoutMs: ending === 'by a time-out' ? 400 : undefined,
  });
  if (ending === 'by an abort') setTimeout(() => stop.abort(), 300);
  await running;
  clearInterval(watch);
  const survivors = await survivorsOf(task.replace(' ', '\0'));
  endAll(survivors);
  if (started.size === 0) return 'the child did not start';
  return survivors.length === 0 ? undefined : `${survivors.length} survived`;
}

/** The sandbox of ralph with this folder (absolute) as the workspace. Rejects without bubblewrap. */
export async function sandboxFor(root: string): Promise<Sandbox> {
  const place = { root, repository: root, dependencies: [] };
  const policy = () => workspacePolicy(place, { network: false, passEnv: [], read: [], write: [] });
  const { sandbox } = await openSandbox({ mode: 'strict', policy, engine: 'bubblewrap', isForeign: false });
  return sandbox!;
}
