/** A real PostgreSQL for tests, started by the code of `ralph fleet up`, and real workers on it. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import pg from 'pg';
import { afterAll } from 'vitest';
import { localFolder } from '../../src/fleet/local/folder.ts';
import { startLocalServer, stopLocalServer } from '../../src/fleet/local/local-server.ts';
import { openFleet } from '../../src/fleet/queue/open-fleet.ts';
import { findPostgres } from '../../src/fleet/local/postgres-programs.ts';
import { hasBubblewrap } from './bubblewrap.ts';
import { PROGRAM } from './ralph.ts';
import { git, repositoryWith, temporaryFolder, type Files } from './repositories.ts';

/** True if the tests below can run. */
export const hasPostgres = findPostgres(process.env) !== undefined;
if (!hasPostgres) process.stderr.write('PostgreSQL is not installed: tests of the fleet are skipped.\n');

/** A server of its own for one test file. */
export interface TestServer {
  /** Address of the database of `ralph fleet up`. */
  readonly address: string;
  /** The file that has it. */
  readonly addressFile: string;
  /** Makes an empty database and returns its address. */
  freshDatabase(): Promise<string>;
  /** Makes a role with the password `pw`, which has no rights, and returns its name. */
  role(prefix: string): Promise<string>;
  /** Runs a statement as the administrator of the server. */
  administer(statement: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<string>;
}

let made = 0;

/** Starts a server, which is stopped and removed after the test file. */
export async function testServer(): Promise<TestServer> {
  // Directly below /tmp: the server runs as an ordinary user, who cannot enter a private folder of root's.
  const root = mkdtempSync('/tmp/ralph-test-fleet-');
  chmodSync(root, 0o755);
  const env = { ...process.env, RALPH_FLEET_DIR: root };
  const folder = localFolder(env);
  const start = () => startLocalServer(folder, env);
  const stop = async (): Promise<void> => void (await stopLocalServer(folder, env));
  afterAll(async () => {
    await stop();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  const address = await start();
  const asAdministrator = async (statement: string): Promise<void> => {
    const { port } = new URL(address);
    const password = readFileSync(join(root, 'password'), 'utf8').trim();
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: Number(port), user: 'postgres', database: 'postgres', password },
    });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  return {
    address,
    addressFile: folder.address,
    start,
    stop,
    administer: asAdministrator,
    async role(prefix) {
      const name = `${prefix}_${process.pid}_${made++}`;
      await asAdministrator(`CREATE ROLE ${name} LOGIN PASSWORD 'pw'`);
      return name;
    },
    async freshDatabase() {
      const name = `test_${process.pid}_${made++}`;
      await asAdministrator(`CREATE DATABASE ${name} OWNER ralph`);
      const url = address.replace(/\/ralph$/, `/${name}`);
      // Jobs get the heartbeat that the queue has when they are submitted.
      const fleet = await openFleet({ env: {}, url, heartbeatSeconds: 10 });
      await fleet.close();
      return url;
    },
  };
}

/** A worker that runs in a process of its own. */
export interface TestWorker {
  readonly process: Pick<ResultPromise, 'kill'> & PromiseLike<{ readonly exitCode?: number | undefined }>;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Resolves when it has printed the text. */
  printed(text: string): Promise<void>;
}

/** Starts `ralph worker ARGS` with a folder of its own, as another machine has. */
export function startWorker(
  address: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): TestWorker {
  const place = ['--folder', temporaryFolder(), ...(hasBubblewrap ? [] : ['--sandbox', 'off'])];
  const child = execa(process.execPath, [PROGRAM, 'worker', ...place, ...args], {
    env: { RALPH_PROCESS_TAG: undefined, CI: undefined, DATABASE_URL: address, ...env },
    stdin: 'ignore',
    forceKillAfterDelay: false,
    all: true,
    reject: false,
  });
  let output = '';
  child.all.on('data', (bytes: Buffer) => (output += bytes.toString()));
  return {
    process: child,
    output: () => output,
    async printed(text) {
      while (!output.includes(text)) {
        if (child.nodeChildProcess.exitCode !== null)
          throw new Error(`The worker ended without "${text}": ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** A bare repository, as a server of repositories has it, with one commit on `main`. */
export function remoteWith(files: Files): string {
  const source = repositoryWith(files);
  const remote = join(temporaryFolder(), 'shop.git');
  git(source, 'clone', '--quiet', '--bare', source, remote);
  return remote;
}

/** Branches of a repository that ralph has pushed. */
export function resultBranches(remote: string): string[] {
  return git(remote, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph')
    .split('\n')
    .filter((line) => line !== '');
}
