import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFleet, type Fleet } from '../../src/fleet/queue/open-fleet.ts';
import { localFolder } from '../../src/fleet/local/folder.ts';
import { startLocalServer, stopLocalServer } from '../../src/fleet/local/local-server.ts';

/** A PostgreSQL of the bench's own, in a folder that is removed with it. */
export interface BenchServer {
  readonly address: string;
  open(): Promise<Fleet>;
  restart(): Promise<void>;
  /** Process id of the server. */
  pid(): number;
  remove(): Promise<void>;
}

/** Starts the server that `ralph fleet up` would start. */
export async function startBenchServer(): Promise<BenchServer> {
  // Directly below /tmp: the server runs as an ordinary user, who cannot enter a private folder of root's.
  const root = mkdtempSync('/tmp/ralph-bench-fleet-');
  chmodSync(root, 0o755);
  const env = { ...process.env, RALPH_FLEET_DIR: root };
  const folder = localFolder(env);
  const address = await startLocalServer(folder, env);
  return {
    address,
    open: () => openFleet({ env: {}, url: address, heartbeatSeconds: 10 }),
    async restart() {
      await stopLocalServer(folder, env);
      await startLocalServer(folder, env);
    },
    pid: () => Number.parseInt(readFileSync(join(folder.data, 'postmaster.pid'), 'utf8'), 10),
    async remove() {
      await stopLocalServer(folder, env);
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
