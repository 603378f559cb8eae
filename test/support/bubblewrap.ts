import { execaSync } from 'execa';

const TRIAL = ['--unshare-user', '--disable-userns', '--unshare-net', '--ro-bind', '/', '/', '--', 'true'];

/** True if bubblewrap works on this machine. Tests of the sandbox are skipped if not. */
export const hasBubblewrap: boolean = execaSync('bwrap', TRIAL, { reject: false }).exitCode === 0;

/**
 * Environment of `ralph` in tests that are not about the sandbox. Without bubblewrap it turns the sandbox off: ralph would
 * otherwise refuse the commands of models, or print a warning.
 */
export const SANDBOX_ENVIRONMENT: Readonly<Record<string, string>> = hasBubblewrap
  ? {}
  : { RALPH_SANDBOX: 'off' };
