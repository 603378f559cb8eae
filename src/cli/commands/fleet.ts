import { RalphError } from '../../errors.ts';
import { findAddress } from '../../fleet/database/address.ts';
import { placeOf } from '../../fleet/database/database.ts';
import { localFolder } from '../../fleet/local/folder.ts';
import { localServerRuns, startLocalServer, stopLocalServer } from '../../fleet/local/local-server.ts';
import { localWorker, startLocalWorker, stopLocalWorker } from '../../fleet/local/local-worker.ts';
import { openFleet, useFleet } from '../../fleet/queue/open-fleet.ts';
import { listWorkers } from '../../fleet/queue/workers.ts';
import { openWorkerPlace } from '../../fleet/worker/place.ts';
import { requireSandbox } from '../../fleet/worker/require-sandbox.ts';
import { packageFile } from '../../platform/package-files.ts';
import { plural } from '../../platform/text/plural.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

interface UpOptions extends OutputOptions {
  readonly worker: boolean;
}

/** `ralph fleet up`: the local server and one worker. */
export async function upCommand(options: UpOptions): Promise<void> {
  const { env } = process;
  if (options.worker) await requireWorkerSandbox(env);
  const folder = localFolder(env);
  const address = await startLocalServer(folder, env);
  const fleet = await openFleet({ env, url: address });
  await fleet.close();
  const worker = options.worker
    ? startLocalWorker(folder, { program: packageFile('bin', 'ralph.js'), env, address })
    : undefined;
  const place = placeOf(address);
  printResult(options, { folder: folder.root, place, worker: worker ?? null }, (chalk) => [
    `${chalk.bold('database')}  ${place}, data in ${folder.root}`,
    `${chalk.bold('worker')}    ${worker === undefined ? 'none: start one with ralph worker' : `process ${worker}, log ${folder.workerLog}`}`,
    `Queue a loop with: ralph submit . "the task". Watch it with: ralph queue list`,
    ...(findAddress(env) === address
      ? []
      : ['DATABASE_URL is set, so the other commands use that database and not this one.']),
  ]);
}

/** The worker would end at once, and tell only its log why. */
async function requireWorkerSandbox(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await requireSandbox(openWorkerPlace(undefined, env).root, {});
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== 'no_sandbox') throw error;
    throw new RalphError(error.message, {
      ...{ code: error.code, exitCode: error.exitCode, cause: error },
      hint: `${error.hint?.split('\n')[0] ?? ''}\nor start the database alone: ralph fleet up --no-worker, and then: ralph worker --sandbox off`,
    });
  }
}

/** `ralph fleet down`. */
export async function downCommand(options: OutputOptions): Promise<void> {
  const { env } = process;
  const folder = localFolder(env);
  const worker = await stopLocalWorker(folder);
  const database = await stopLocalServer(folder, env);
  printResult(options, { worker, database }, () => [
    worker ? 'Stopped the worker.' : 'No worker ran.',
    database ? `Stopped the database; its data stay in ${folder.root}.` : 'No database of ralph ran.',
  ]);
}

/** `ralph fleet status`. */
export async function statusCommand(options: OutputOptions): Promise<void> {
  const { env } = process;
  const folder = localFolder(env);
  const local = await localServerRuns(folder, env);
  await useFleet({ env }, async (fleet) => {
    const workers = await listWorkers(fleet.database);
    const value = {
      place: fleet.database.place,
      local: { folder: folder.root, running: local, worker: localWorker(folder) ?? null },
      workers,
    };
    printResult(options, value, (chalk) => [
      `${chalk.bold('database')}  ${fleet.database.place}${local ? ` (of ralph fleet up, in ${folder.root})` : ''}`,
      `${chalk.bold('workers')}   ${plural(workers.length, 'worker')}`,
      ...workers.map(
        ({ name, host, pid, running, concurrency, labels, state, seen }) =>
          `  ${name}  ${host} process ${pid}  ${running} of ${plural(concurrency, 'loop')}  ${state}, seen ${seen}` +
          (labels.length > 0 ? `  labels ${labels.join(',')}` : ''),
      ),
    ]);
  });
}
