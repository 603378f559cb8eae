import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { usageError } from '../../errors.ts';
import { HEARTBEAT_SECONDS } from '../../fleet/queue/boss.ts';
import { KEPT_DAYS } from '../../fleet/queue/retention.ts';
import { useFleet } from '../../fleet/queue/open-fleet.ts';
import { hideDatabase } from '../../fleet/worker/hide-database.ts';
import { openWorkerPlace } from '../../fleet/worker/place.ts';
import { requireGlobs } from '../../fleet/queue/repository-globs.ts';
import { requireSandbox } from '../../fleet/worker/require-sandbox.ts';
import type { WorkerNote } from '../../fleet/worker/worker-options.ts';
import { runWorker } from '../../fleet/worker/worker.ts';
import type { Config } from '../../schema/generated.ts';
import { parseDurationMs } from '../../platform/text/duration.ts';
import { printable, printableJson } from '../../platform/text/printable.ts';
import { redact, redactValue } from '../../platform/redaction/redact.ts';
import { listenForDrain } from '../interrupt.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { parseLabels, parseWholeNumber } from '../values.ts';

export interface WorkerCommandOptions extends OutputOptions {
  readonly name?: string;
  readonly concurrency?: string;
  readonly labels?: readonly string[];
  readonly repositories?: readonly string[];
  readonly once?: boolean;
  readonly drain?: boolean;
  readonly folder?: string;
  readonly heartbeat?: string;
  readonly keep?: string;
  readonly price?: readonly string[];
}

const MAX_CONCURRENCY = 64;
const MIN_HEARTBEAT_SECONDS = 10;
/** Beside the loops: the heartbeat, the events and pg-boss's own maintenance. */
const SPARE_CONNECTIONS = 3;

/** `ralph worker`. */
export async function workerCommand(options: WorkerCommandOptions): Promise<void> {
  if (options.once === true && options.drain === true)
    throw usageError('--once and --drain exclude each other.', 'Leave one of them out.');
  const concurrency = parseWholeNumber('--concurrency', options.concurrency ?? '1', MAX_CONCURRENCY);
  const heartbeatSeconds = heartbeatFrom(options.heartbeat);
  if (options.name?.trim() === '') throw usageError('--name is empty.', 'For example --name build-1');
  const labels = parseLabels(options.labels);
  const repositories = requireGlobs(options.repositories);
  const { config: overrides } = await loadConfig({
    folders: [],
    flags: { ...settingsFromOptions({ ...options }), ...pricesFrom(options.price) },
    env: {},
  });
  const env = { ...process.env };
  const access = {
    env,
    supervise: true,
    heartbeatSeconds,
    connections: concurrency + SPARE_CONNECTIONS,
    applicationName: 'ralph worker',
  };
  const place = openWorkerPlace(
    options.folder === undefined ? undefined : resolve(options.folder),
    process.env,
  );
  await requireSandbox(place.root, overrides);
  await useFleet(access, async (fleet) => {
    hideDatabase(process.env, overrides);
    const stop = listenForDrain();
    await runWorker({
      fleet,
      name: options.name ?? `${hostname()}-${process.pid}`,
      concurrency,
      labels,
      repositories,
      until: options.once === true ? 'once' : options.drain === true ? 'drain' : 'stopped',
      place,
      env,
      overrides,
      keptDays: keptDaysFrom(options.keep),
      note: (note) => printNote(options, note),
      stopRequested: stop.stopRequested,
      signal: stop.signal,
    }).finally(stop.close);
  });
}

/** One line a note: text, or JSON for a collector of logs. */
function printNote({ format, quiet }: OutputOptions, note: WorkerNote): void {
  const at = new Date().toISOString();
  if (format !== 'text') process.stdout.write(`${printableJson(redactValue({ at, ...note }))}\n`);
  else if (quiet !== true) {
    const job = note.job === undefined ? '' : ` ${note.job.slice(0, 8)}`;
    process.stdout.write(`${at}  ${note.event.padEnd(8)}${job}  ${printable(redact(note.text))}\n`);
  }
}

function heartbeatFrom(text: string | undefined): number {
  if (text === undefined) return HEARTBEAT_SECONDS;
  const ms = parseDurationMs(text);
  const seconds = Math.round((ms ?? 0) / 1000);
  if (seconds >= MIN_HEARTBEAT_SECONDS && seconds <= 3600) return seconds;
  throw usageError(`--heartbeat ${text} is not a time from 10s to 1h.`, 'For example --heartbeat 30s');
}

/** `MODEL=INPUT,OUTPUT` in dollars per million tokens. Throws a usage error. */
function pricesFrom(given: readonly string[] | undefined): Pick<Config, 'prices'> {
  if (given === undefined) return {};
  const prices = given.map((text) => {
    const [, model, input, output] = /^([^/\s=]+\/[^\s=]+)=(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (model === undefined)
      throw usageError(
        `--price ${JSON.stringify(text)} is not a model with its prices.`,
        'For example --price openai-compatible/my-model=1,4 in dollars per million tokens of input and output',
      );
    return [model, { input: Number(input), output: Number(output) }] as const;
  });
  return { prices: Object.fromEntries(prices) };
}

function keptDaysFrom(text: string | undefined): number {
  if (text === undefined) return KEPT_DAYS;
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (days >= 1) return days;
  throw usageError(`--keep ${text} is not a number of days from 1d to 9999d.`, 'For example --keep 30d');
}
