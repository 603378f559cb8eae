/**
 * Runs AVA (4 to 7) as `node <this file> <report> <ava's entry file> …` and writes a TestReport at the end.
 * AVA has no JSON reporter; its TAP names no file where only one ran, shares its stream with what tests print,
 * and breaks off when one of them calls process.exit(). So this listens to the events of its own reporter.
 */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAvaRecorder, type AvaEvent, type AvaRecorder } from './ava-recorder.ts';
import { sealedWriter } from './seal.ts';

interface Plan {
  readonly status: { on(event: 'stateChange', listener: (event: AvaEvent) => void): void };
}

interface ReporterClass {
  readonly prototype: { startRun(plan: Plan): void; endRun(): void };
}

const [reportFile, entryFile] = process.argv.splice(2, 2) as [string, string];
const write = sealedWriter(reportFile);
const entry = realpathSync(entryFile);
process.argv[1] = entry;
await listen(join(dirname(dirname(entry)), 'lib', 'reporters', 'default.js'));
await import(pathToFileURL(entry).href);

async function listen(reporterModule: string): Promise<void> {
  const { default: reporter } = (await import(pathToFileURL(reporterModule).href)) as {
    default: ReporterClass;
  };
  const { startRun, endRun } = reporter.prototype;
  const recorder: AvaRecorder = createAvaRecorder();
  reporter.prototype.startRun = function (plan) {
    plan.status.on('stateChange', (event) => recorder.record(event));
    startRun.call(this, plan);
  };
  reporter.prototype.endRun = function () {
    write(recorder.report());
    endRun.call(this);
  };
}
