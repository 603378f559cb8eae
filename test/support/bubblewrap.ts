/** Whether a sandbox works on this machine: tests of what happens in it are left out where none does. */
import { execaSync } from 'execa';

const TRIAL = ['--unshare-user', '--disable-userns', '--unshare-net', '--ro-bind', '/', '/', '--', 'true'];

export const hasBubblewrap: boolean = execaSync('bwrap', TRIAL, { reject: false }).exitCode === 0;
