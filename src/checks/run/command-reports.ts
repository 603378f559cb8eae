import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readBounded } from '../../platform/files/read-bounded.ts';
import type { CheckRun } from './check-run.ts';

/** Where a command line puts a machine-readable report. */
export interface ReportTarget {
  /** The command line to run. */
  readonly command: string;
  /** Absolute path; undefined where the command names none. */
  readonly file?: string;
}

const PLACEHOLDER = '{report}';

/** Options that name a JUnit, TAP or SARIF file, as pytest, PHPUnit, gotestsum, GoogleTest, linters have them. */
const REPORT_OPTION =
  /--?(?:junit-?xml|junit|log-junit|junitfile|junit-path|junit-output|output-junit|junit-report|gtest_output|xunit-file|tap-file|sarif|sarif-file|sarif-output|output-sarif)(?:=|\s+)(?:xml:)?("[^"]+"|'[^']+'|[^\s;&|<>]+)/;

/** Finds the report file in a command line; `{report}` in it stands for a file of this run. */
export function reportTarget(command: string, { cwd, reportDir }: CheckRun): ReportTarget {
  if (command.includes(PLACEHOLDER)) {
    const file = join(reportDir, 'report');
    return { command: command.replaceAll(PLACEHOLDER, file), file };
  }
  const named = REPORT_OPTION.exec(command)?.[1]?.replace(/^(["'])(.*)\1$/, '$2');
  if (named === undefined || named.startsWith('-') || named.includes('$')) return { command };
  return { command, file: resolve(cwd, named) };
}

/**
 * Watches a report file over a run. `read` gives its text when the run wrote it, and removes it when it was not
 * there before; undefined when it was not written: a report of yesterday is none.
 */
export function watchReport(file: string | undefined): { read(): Promise<string | undefined> } {
  if (file === undefined) return { read: () => Promise.resolve(undefined) };
  const before = versionOf(file);
  return {
    async read() {
      const after = versionOf(file);
      if (after === undefined || after === before) return undefined;
      const text = await readBounded(file).catch(() => undefined);
      if (before === undefined) await rm(file, { force: true }).catch(() => undefined);
      return text;
    },
  };
}

function versionOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}
