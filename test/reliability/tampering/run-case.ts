import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { openLoop } from '../../../src/compose/loop/loop.ts';
import { openProject } from '../../../src/compose/project.ts';
import { NO_TASK } from '../../../src/compose/loop/task-proof.ts';
import type { RunEvent } from '../../../src/events.ts';
import type { Config, Verdict } from '../../../src/schema/generated.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { newLoopId } from '../../../src/platform/loop-id.ts';
import type { Case } from './case.ts';
import { PROJECTS, type SampleProject, type ProjectName } from './projects.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const ACT = join(import.meta.dirname, 'act.ts');

/** Verdict and events of the loop with the actor of a case. */
export interface CaseResult {
  readonly verdict: Verdict;
  readonly events: readonly RunEvent[];
}

/** Runs one case through the real loop, in a temporary repository of the sample project. */
export async function runCase(it: Case, name: ProjectName): Promise<CaseResult> {
  const home = makeTemporaryFolder('tampering');
  try {
    const root = join(home, 'repository');
    const project = PROJECTS[name];
    makeRepository(root, project, it.files ?? {});
    return await runLoopIn(root, configFor(it, project, join(home, 'workspaces')));
  } finally {
    removeTemporaryFolder(home);
  }
}

function configFor({ name, flags = {} }: Case, project: SampleProject, workspaceDir: string): Config {
  const asked = Object.entries(flags).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'function' ? (value as (project: ProjectName) => unknown)(project.name) : value,
  ]);
  return {
    command: actCommand({ name }, project.name),
    workspaceDir,
    sandbox: 'off',
    maxIterations: 1,
    checkTimeout: '60s',
    // Mutants of the change do not decide about it.
    proofTime: '0s',
    ...Object.fromEntries(asked),
  };
}

/** Shell command of the actor. */
export function actCommand({ name }: Pick<Case, 'name'>, project: ProjectName): string {
  return `"${process.execPath}" "${ACT}" ${project} '${name}'`;
}

async function runLoopIn(root: string, flags: Config): Promise<CaseResult> {
  const events: RunEvent[] = [];
  const project = await openProject({ cwd: root, flags, env: {} });
  const session = await openLoop({
    project,
    task: 'Make the checks pass.',
    proof: NO_TASK,
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

/** Makes a committed repository of the sample project; `root` is an absolute path that does not exist. */
export function makeRepository(
  root: string,
  project: SampleProject,
  extra: Readonly<Record<string, string>>,
): void {
  const files = { '.gitignore': 'node_modules\n', ...project.files, ...relevant(extra, project) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const module of project.modules) {
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

/** Without the configuration of the other runners. */
function relevant(files: Readonly<Record<string, string>>, { name }: SampleProject): Record<string, string> {
  const foreign = ['mocha', 'vitest', 'jest'].filter((it) => it !== name);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !foreign.some((it) => path.includes(it))),
  );
}
