import { describe, expect, it, vi } from 'vitest';
import { makePrivateFolder } from '../../../src/platform/files/private-folder.ts';
import { stateFolder } from '../../../src/platform/files/state-folder.ts';

describe('the folder for state', () => {
  it.each([
    [{ XDG_STATE_HOME: '/state', HOME: '/home/a' }, '/state/ralph'],
    [{ HOME: '/home/a' }, '/home/a/.local/state/ralph'],
    [{ XDG_STATE_HOME: 'state', HOME: '/home/a' }, '/home/a/.local/state/ralph'],
  ])('of %j is %s', (variables, expected) => {
    expect(stateFolder(variables)).toBe(expected);
  });

  it('is not in the current folder if HOME is relative', () => {
    vi.stubEnv('HOME', '.');
    expect(stateFolder({ HOME: '.' })).toMatch(/^\//);
    vi.unstubAllEnvs();
  });
});

describe('a private folder', () => {
  it('is refused, and not waited for, where the system creates none', () => {
    expect(() => makePrivateFolder('/proc/none/below')).toThrow(/ENOENT|EACCES/);
  });
});
