import { dirname } from 'node:path';
import { programFile } from '../../platform/package-files.ts';

/** Our own files that run inside a repository's test runner; from source or from the build, as we run ourselves. */
export type ReporterName =
  'vitest-reporter' | 'jest-reporter' | 'mocha-reporter' | 'node-reporter' | 'node-exit-mark' | 'ava-runner';

/** Absolute path of the folder that they lie in. */
export const REPORTER_DIR = dirname(programFile('checks/reporters/index'));

/** Absolute path of one of them. */
export function reporterFile(name: ReporterName): string {
  return programFile(`checks/reporters/${name}`);
}
