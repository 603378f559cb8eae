import type { Dialect } from './dialect.ts';

/**
 * Hooks of git: githooks(5), pre-commit and pre-push. They have no payload but the lines of pre-push, and no session: each call
 * compares commits. Git shows what they print, and goes on only after exit code 0.
 */
export const git: Dialect = {
  title: 'git',
  read: () => ({ session: undefined, cwd: undefined, isContinued: false, isInterrupted: false, said: '' }),
  started: (text) => ({ stderr: `${text}\n`, exitCode: 0 }),
  passed: (note) => (note === undefined ? { exitCode: 0 } : { stderr: `${note}\n`, exitCode: 0 }),
  blocked: (text) => ({ stderr: `${text}\n`, exitCode: 1 }),
  failed: (text) => ({ stderr: `${text}\nTo go on without the gate: --no-verify\n`, exitCode: 1 }),
};
