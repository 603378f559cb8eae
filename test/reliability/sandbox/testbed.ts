import { randomBytes } from 'node:crypto';
import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { inventoryOf } from './inventory.ts';
import { plantPlaces } from './places.ts';
import { startServices } from './services.ts';
import { commitTree, writeTree } from './write-tree.ts';

/** A workspace, and the files, services and processes that programs in it must not reach. Paths are absolute. */
export interface Testbed {
  /** The folder that may be written. */
  readonly workspace: string;
  readonly repository: string;
  readonly home: string;
  /** Environment variables with the paths, ports and process ids for attacks. */
  readonly variables: Readonly<Record<string, string>>;
  /** Text that must not be readable from the workspace. */
  readonly secret: string;
  /** Descriptions of what was changed, reached or ended since the testbed was made. */
  damage(): string[];
  close(): Promise<void>;
}

export interface TestbedFiles {
  /** Additional files of the repository, by path. */
  readonly repository?: Readonly<Record<string, string>>;
  /** Name of a folder that may change. */
  readonly ignored?: string;
}

/** Printed by an attack that succeeds without a trace. */
export const SUCCEEDED = 'succeeded-42';

/**
 * Makes a testbed: a repository with history, state and dependencies, a home with keys, listening services, a running
 * program. `visibleFolder` (absolute) is a folder that the sandbox shows read-only.
 */
export async function createTestbed(visibleFolder: string, files: TestbedFiles = {}): Promise<Testbed> {
  const base = makeTemporaryFolder('testbed');
  mkdirSync(visibleFolder, { recursive: true });
  const outside = makeTemporaryFolder('outside', visibleFolder);
  const [home, other, repository, workspace] = ['home', 'other', 'repository', 'workspace'].map((name) =>
    join(base, name),
  ) as [string, string, string, string];
  const secret = randomBytes(12).toString('hex');
  writeHome(home, secret);
  writeTree(outside, { file: 'a\n' });
  writeTree(other, { file: `${secret}\n` });
  writeRepository(repository, secret, files.repository ?? {});
  writeWorkspace(workspace, repository);
  writeTree(join(base, 'other-project'), { '.env': `KEY=${secret}\n` });
  const places = plantPlaces(secret);

  const services = await startServices(
    [outside, home, other, ...places.folders].map((folder) => join(folder, 'socket')),
  );
  const { nodeChildProcess: victim } = execa('sleep', ['600'], {
    cwd: home,
    env: { PATH: process.env['PATH'], KEY: secret },
    extendEnv: false,
    reject: false,
  });
  const memory = sharedMemory();
  const protectedFolders = [outside, home, other, repository, ...places.folders];
  const inventory = (): string =>
    protectedFolders.map((folder) => inventoryOf(folder, files.ignored)).join('\n');
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
      MARK: places.mark,
      HOST_SPACE: readlinkSync('/proc/self/ns/pid'),
    },
    damage: () => [
      ...(inventory() === before ? [] : ['files changed']),
      ...places.damage(),
      ...(services.visits() === 0 ? [] : ['a service was reached']),
      ...(victim.exitCode === null && victim.signalCode === null ? [] : ['a program of the user was ended']),
      ...(memory === undefined || hasMemory(memory) ? [] : ['shared memory of the user was removed']),
    ],
    async close() {
      victim.kill('SIGKILL');
      if (memory !== undefined && hasMemory(memory)) execaSync('ipcrm', ['--shmem-id', memory]);
      await services.close();
      places.close();
      for (const folder of [outside, base]) removeTemporaryFolder(folder);
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

/** Makes a segment of shared memory and returns its id; undefined if ipcmk is not installed. */
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
