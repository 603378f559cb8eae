import { dirname } from 'node:path';
import { programFile } from '../../platform/package-files.ts';

/** Our files that run inside a repository's test runner, from the source or from the build. */
export type ReporterName =
  | 'vitest-reporter'
  | 'jest-reporter'
  | 'mocha-reporter'
  | 'node-reporter'
  | 'node-exit-mark'
  | 'ava-runner'
  | 'jasmine-tap';

/** Absolute path of the reporters' folder. */
export const REPORTER_DIR = dirname(programFile('checks/reporters/index'));

/** Absolute path of a reporter. */
export function reporterFile(name: ReporterName): string {
  return programFile(`checks/reporters/${name}`);
}
