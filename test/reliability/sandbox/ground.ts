import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { inventoryOf } from './inventory.ts';
import { startServices } from './services.ts';
import { commitTree, writeTree } from './write-tree.ts';

/** A workspace, and around it everything that what runs in it is not to reach. */
export interface Ground {
  /** Absolute path of the tree that may be written. */
  readonly workspace: string;
  readonly repository: string;
  readonly home: string;
  /** Where an attack finds everything. */
  readonly variables: Readonly<Record<string, string>>;
  /** What nobody in the workspace may learn. */
  readonly secret: string;
  /** What has changed, been reached or ended since the ground was made; empty where all is as it was. */
  damage(): string[];
  close(): Promise<void>;
}

export interface GroundFiles {
  /** More files of the repository, by path. */
  readonly repository?: Readonly<Record<string, string>>;
  /** Name of a folder that may change. */
  readonly leaves?: string;
}

/** The word that an attack prints where it won and nothing else is to be seen. */
export const WON = 'won-42';

/**
 * Makes a ground: a repository with history, state and dependencies, a home with keys, services that listen, a
 * program that runs. `visibleFolder` (absolute) is where a folder lies that is read-only, and not hidden.
 */
export async function createGround(visibleFolder: string, files: GroundFiles = {}): Promise<Ground> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-ground-')));
  mkdirSync(visibleFolder, { recursive: true });
  const outside = realpathSync(mkdtempSync(join(visibleFolder, 'ralph-outside-')));
  const [home, other, repository, workspace] = ['home', 'other', 'repository', 'workspace'].map((name) =>
    join(base, name),
  ) as [string, string, string, string];
  const secret = randomBytes(12).toString('hex');
  writeHome(home, secret);
  writeTree(outside, { file: 'a\n' });
  writeTree(other, { file: `${secret}\n` });
  writeRepository(repository, secret, files.repository ?? {});
  writeWorkspace(workspace, repository);

  const services = await startServices([outside, home, other].map((folder) => join(folder, 'socket')));
  const { nodeChildProcess: victim } = execa('sleep', ['600'], {
    cwd: home,
    env: { PATH: process.env['PATH'], KEY: secret },
    extendEnv: false,
    reject: false,
  });
  const memory = sharedMemory();
  const kept = [outside, home, other, repository];
  const inventory = (): string => kept.map((folder) => inventoryOf(folder, files.leaves)).join('\n');
  const before = inventory();
  return {
    workspace,
    repository,
    home,
    secret,
    variables: {
      ...services.variables,
      OUTSIDE: outside,
      VICTIM_HOME: home,
      OTHER_TMP: other,
      REPO: repository,
      VICTIM_PID: String(victim.pid),
      VICTIM_SHM: memory ?? '0',
      HOST_SPACE: readlinkSync('/proc/self/ns/pid'),
    },
    damage: () => [
      ...(inventory() === before ? [] : ['files changed']),
      ...(services.visits() === 0 ? [] : ['a service was reached']),
      ...(victim.exitCode === null && victim.signalCode === null ? [] : ['a program of the user ended']),
      ...(memory === undefined || hasMemory(memory) ? [] : ['a shared memory of the user is gone']),
    ],
    async close() {
      victim.kill('SIGKILL');
      if (memory !== undefined && hasMemory(memory)) execaSync('ipcrm', ['--shmem-id', memory]);
      await services.close();
      for (const folder of [outside, base]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeHome(home: string, secret: string): void {
  writeTree(home, {
    '.bashrc': '',
    '.ssh/id_rsa': `${secret}\n`,
    '.ssh/authorized_keys': '',
    '.npmrc': `//registry.test/:_authToken=${secret}\n`,
    '.aws/credentials': `aws_secret_access_key = ${secret}\n`,
  });
}

function writeRepository(repository: string, secret: string, more: Readonly<Record<string, string>>): void {
  writeTree(repository, {
    ...more,
    'package.json': '{ "name": "ground", "type": "module" }\n',
    'src/a.js': 'export const a = 1;\n',
    '.gitignore': 'node_modules\n.secret\n',
    '.secret': `${secret}\n`,
    'node_modules/dep/index.js': 'export {};\n',
    '.aiwg/ralph/reflections/1.json': `{ "secret": "${secret}" }\n`,
    '.aiwg/ralph/loops/one/journal.jsonl': '{}\n',
  });
  commitTree(repository, secret);
  execaSync('git', ['remote', 'add', 'origin', `https://user:${secret}@host.test/x.git`], {
    cwd: repository,
  });
}

function writeWorkspace(workspace: string, repository: string): void {
  writeTree(workspace, {
    'package.json': '{ "name": "ground", "type": "module" }\n',
    'src/a.js': 'export const a = 1;\n',
  });
  mkdirSync(join(workspace, 'node_modules'));
  symlinkSync(join(repository, 'node_modules', 'dep'), join(workspace, 'node_modules', 'dep'));
}

/** Id of a segment of shared memory; undefined where the tools for it are missing. */
function sharedMemory(): string | undefined {
  try {
    return /\d+\s*$/.exec(execaSync('ipcmk', ['--shmem', '64']).stdout)?.[0].trim();
  } catch {
    return undefined;
  }
}

function hasMemory(id: string): boolean {
  return execaSync('ipcs', ['--shmems'])
    .stdout.split('\n')
    .some((line) => line.split(/\s+/)[1] === id);
}
