import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { openLoop } from '../../../src/compose/loop.ts';
import { openProject } from '../../../src/compose/project.ts';
import type { RunEvent } from '../../../src/events.ts';
import type { Config, Verdict } from '../../../src/schema/generated.ts';
import { newLoopId } from '../../../src/platform/loop-id.ts';
import type { Case } from './case.ts';
import { GROUNDS, type Ground, type GroundName } from './grounds.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const ACT = join(import.meta.dirname, 'act.ts');

/** How the loop ended that the actor of a case was let loose in. */
export interface CaseResult {
  readonly verdict: Verdict;
  readonly events: readonly RunEvent[];
}

/** Runs one case on one ground through the real loop, in a repository of its own that goes with it. */
export async function runCase(it: Case, name: GroundName): Promise<CaseResult> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-tampering-')));
  try {
    const root = join(home, 'repository');
    const ground = GROUNDS[name];
    makeRepository(root, ground, it.files ?? {});
    return await runLoopIn(root, configFor(it, ground, join(home, 'workspaces')));
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function configFor({ name, flags = {} }: Case, ground: Ground, workspaceDir: string): Config {
  const asked = Object.entries(flags).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'function' ? (value as (ground: GroundName) => unknown)(ground.name) : value,
  ]);
  return {
    command: actCommand({ name }, ground.name),
    workspaceDir,
    sandbox: 'off',
    maxIterations: 1,
    checkTimeout: '60s',
    ...Object.fromEntries(asked),
  };
}

/** Shell command line of the actor's own process. */
export function actCommand({ name }: Pick<Case, 'name'>, ground: GroundName): string {
  return `"${process.execPath}" "${ACT}" ${ground} '${name}'`;
}

async function runLoopIn(root: string, flags: Config): Promise<CaseResult> {
  const events: RunEvent[] = [];
  const project = await openProject({ cwd: root, flags, env: {} });
  const session = await openLoop({
    project,
    task: 'Make the checks pass.',
    delivery: 'tree',
    loopId: newLoopId('tampering', new Date()),
    startedAt: new Date().toISOString(),
    resumed: false,
    emit: (event) => events.push(event),
    stopRequested: () => false,
    signal: new AbortController().signal,
  });
  try {
    const { verdict } = await session.run();
    return { verdict, events };
  } finally {
    await session.close();
  }
}

/** A committed repository of this ground in a folder that is not there yet (absolute path). */
export function makeRepository(root: string, ground: Ground, extra: Readonly<Record<string, string>>): void {
  const files = { '.gitignore': 'node_modules\n', ...ground.files, ...relevant(extra, ground) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const module of ground.modules) {
    const target = join(root, 'node_modules', module);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(MODULES, module), target);
  }
  const git = (...args: string[]): void =>
    void execaSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=start');
}

/** Configuration of the other runners would only be in the way. */
function relevant(files: Readonly<Record<string, string>>, { name }: Ground): Record<string, string> {
  const foreign = ['mocha', 'vitest', 'jest'].filter((it) => it !== name);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !foreign.some((it) => path.includes(it))),
  );
}
