/**
 * Runs AVA (3 to 7) as `node <this file> <report> <ava's entry file> …` and writes a TestReport at the end.
 * AVA has no JSON reporter. Its TAP names no file where only one ran, is mixed with the output of tests, and ends
 * early when a test calls process.exit(). So this program listens to the events that AVA's own reporter receives.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAvaRecorder, type AvaEvent, type AvaRecorder } from './ava-recorder.ts';
import { createFailureNote } from './note-failures.ts';
import { createReportWriter } from './sign-report.ts';

interface Plan {
  readonly status: { on(event: 'stateChange', listener: (event: AvaEvent) => void): void };
}

interface ReporterClass {
  readonly prototype: { startRun(plan: Plan): void; endRun(): void };
}

const [reportFile, entryFile] = process.argv.splice(2, 2) as [string, string];
const write = createReportWriter(reportFile);
const noteFailed = createFailureNote(reportFile);
const entry = realpathSync(entryFile);
process.argv[1] = entry;
const library = join(packageOf(entry), 'lib');
if (existsSync(join(library, 'chalk.js')) && entry.endsWith('.js')) listenOnceColoured(library);
else listen(((await import(pathToFileURL(reporterOf(library)).href)) as { default: ReporterClass }).default);
await import(pathToFileURL(entry).href);

/** The entry file is beside package.json in version 3, and one folder below in later versions. */
function packageOf(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'package.json')) ? folder : dirname(folder);
}

function reporterOf(library: string): string {
  return join(library, 'reporters', 'default.js');
}

/** The reporter of version 3 can be loaded only after AVA's command line has configured its colours. */
function listenOnceColoured(library: string): void {
  const require = createRequire(join(library, 'cli.js'));
  const chalk = require('./chalk') as { set(options: unknown): unknown };
  const { set } = chalk;
  chalk.set = (options) => {
    const colours = set(options);
    listen(require(reporterOf(library)) as ReporterClass);
    return colours;
  };
}

function listen(reporter: ReporterClass): void {
  const { startRun, endRun } = reporter.prototype;
  const recorder: AvaRecorder = createAvaRecorder((test) => noteFailed({ tests: [test], problems: [] }));
  reporter.prototype.startRun = function (plan) {
    plan.status.on('stateChange', (event) => recorder.record(event));
    startRun.call(this, plan);
  };
  reporter.prototype.endRun = function () {
    write(recorder.report());
    endRun.call(this);
  };
}
