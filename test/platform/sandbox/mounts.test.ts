import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mountArguments } from '../../../src/platform/sandbox/mounts.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const NOTHING = { write: [], read: [], hide: [], blank: [], scratch: [], network: false, passEnv: [] };

/** The mounts after those of every sandbox, as `option path`. */
function mountsOf(policy: Partial<Parameters<typeof mountArguments>[0]>): string[] {
  const END = ['--remount-ro', '/'];
  const common = mountArguments(NOTHING).length - END.length;
  const words = mountArguments({ ...NOTHING, ...policy }).slice(common, -END.length);
  const starts = words.flatMap((word, index) => (word.startsWith('--') ? [index] : []));
  return starts.map((at, index) => {
    const own = words.slice(at, starts[index + 1]);
    return `${own[0]} ${own.at(-1)}`;
  });
}

describe('the mounts of a sandbox', () => {
  it('are ordered from outer to inner paths, so that the innermost decides', () => {
    const mounts = mountsOf({
      write: ['/home/a/code'],
      read: [{ from: '/home/a/code/.git', at: '/home/a/code/.git' }],
      hide: ['/usr/local', '/home'],
    });
    expect(mounts).toEqual([
      '--tmpfs /home',
      '--tmpfs /usr/local',
      '--bind /home/a/code',
      '--ro-bind-try /home/a/code/.git',
    ]);
  });

  it('make a folder writable that is also hidden', () => {
    expect(mountsOf({ write: ['/a'], hide: ['/a'] })).toEqual(['--bind /a']);
  });

  it('show a folder at the path of a link to it', () => {
    const words = mountArguments({ ...NOTHING, read: [{ from: '/opt/node', at: '/run/node' }] });
    expect(words.join(' ')).toContain('--ro-bind-try /opt/node /run/node');
  });

  it('leave out a socket and a folder that no longer exist', () => {
    expect(mountsOf({ blank: ['/no/such/socket', '/etc/passwd'] })).toEqual(['--ro-bind /etc/passwd']);
    expect(mountsOf({ hide: ['/no-such-folder', '/home'] })).toEqual(['--tmpfs /home']);
  });

  it("begin with an empty root folder that gets nothing but the system's folders", () => {
    const words = mountArguments(NOTHING);
    expect(words.slice(0, 2)).toEqual(['--tmpfs', '/']);
    expect(words.join(' ')).toContain('--ro-bind /usr /usr');
    expect(words.join(' ')).not.toContain('/home');
    expect(words.slice(-2)).toEqual(['--remount-ro', '/']);
  });

  it("make the kernel's settings read-only, which root can write without a capability", () => {
    expect(mountArguments(NOTHING).join(' ')).toContain('--proc /proc --ro-bind-try /proc/sys /proc/sys');
  });

  it('leave the build info of an earlier run out of a folder in memory', () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'cli.js': '', 'tsconfig.tmp.tsbuildinfo': '{}' });
    expect(mountsOf({ scratch: [folder] })).toEqual([
      `--tmpfs ${folder}`,
      `--ro-bind ${join(folder, 'cli.js')}`,
    ]);
  });
});
