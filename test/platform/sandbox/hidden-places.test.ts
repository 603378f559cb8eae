import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { blankFiles, hiddenFolders } from '../../../src/platform/sandbox/hidden-places.ts';

test('every folder of the root but those of the system is hidden', () => {
  const hidden = hiddenFolders();
  expect(hidden).toEqual(expect.arrayContaining(['/home', '/opt', '/srv', '/var']));
  for (const system of ['/usr', '/etc', '/proc', '/dev', '/sys']) expect(hidden).not.toContain(system);
});

test('of /etc the files are blank that not every user may read, and no others', () => {
  const blank = blankFiles(hiddenFolders());
  expect(blank).not.toContain('/etc/passwd');
  expect(blank).not.toContain('/etc/hosts');
  expect(blank).toContain('/etc/shadow');
});

describe.runIf(process.getuid?.() === 0)('private files in the system', () => {
  const folder = mkdtempSync('/usr/local/share/ralph-test-');
  const path = process.env['PATH'];
  afterAll(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  test('are blank, but those of a tool on the PATH are not', () => {
    const file = (name: string, mode: number): string => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '', { mode });
      return join(folder, name);
    };
    chmodSync(folder, 0o755);
    const [key, open, tool] = [file('app/key', 0o600), file('open', 0o644), file('tool/lib/a.js', 0o600)];
    const deep = file('closed/a/b/c/key', 0o644);
    chmodSync(join(folder, 'closed'), 0o700);
    process.env['PATH'] = `${path}:${join(folder, 'tool/bin')}`;
    const blank = blankFiles(hiddenFolders());
    expect([key, open, tool, deep].filter((name) => blank.includes(name))).toEqual([key, deep]);
  });

  test('are left alone below a folder that another user has closed, and so are sockets', async () => {
    const servers: Server[] = [];
    const socketOf = async (owner: number): Promise<string> => {
      const closed = mkdtempSync(join(folder, 'closed-'));
      chownSync(closed, owner, owner);
      const server = createServer().listen(join(closed, 'socket'));
      servers.push(server);
      await once(server, 'listening');
      return join(closed, 'socket');
    };
    const [own, foreign] = [await socketOf(0), await socketOf(65_534)];
    const blank = blankFiles(hiddenFolders());
    for (const server of servers) server.close();
    expect([own, foreign].filter((path) => blank.includes(path))).toEqual([own]);
  });
});
