/** Whether a sandbox works on this machine: tests of what happens in it are left out where none does. */
import { spawnSync } from 'node:child_process';

const TRIAL = ['--unshare-user', '--disable-userns', '--unshare-net', '--ro-bind', '/', '/', '--', 'true'];

export const hasBubblewrap: boolean = spawnSync('bwrap', TRIAL).status === 0;
