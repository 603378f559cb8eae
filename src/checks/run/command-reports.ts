import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readBounded } from '../../platform/files/read-bounded.ts';
import type { CheckRun } from './check-run.ts';

/** A command line and the machine-readable report that it writes. */
export interface ReportTarget {
  /** The command line to run. */
  readonly command: string;
  /** Absolute path of the report; undefined where the command line names none. */
  readonly file?: string;
}

const PLACEHOLDER = '{report}';

/** Options of pytest, PHPUnit, gotestsum, GoogleTest and linters that name a JUnit, TAP or SARIF file. */
const REPORT_OPTION =
  /--?(?:junit-?xml|junit|log-junit|junitfile|junit-path|junit-output|output-junit|junit-report|gtest_output|xunit-file|tap-file|sarif|sarif-file|sarif-output|output-sarif)(?:=|\s+)(?:xml:)?("[^"]+"|'[^']+'|[^\s;&|<>]+)/;

/** Finds the report file in a command line, and replaces `{report}` by a file of this run. */
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
 * Remembers the state of a report file before a run. `read` returns its text where the run wrote it, and removes a
 * file that the run created; undefined for a file that is older than the run.
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
