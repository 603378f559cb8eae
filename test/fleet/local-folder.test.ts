import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasOwnData } from '../../src/fleet/local/data-folder.ts';
import { openFleetFolder } from '../../src/fleet/local/fleet-folder.ts';
import { localFolder, type LocalFolder } from '../../src/fleet/local/folder.ts';
import { temporaryFolder } from '../support/repositories.ts';

/** A fleet's folder with files in its data folder. */
function folderWith(files: Readonly<Record<string, string>>): LocalFolder {
  const folder = localFolder({ RALPH_FLEET_DIR: temporaryFolder() });
  mkdirSync(folder.data);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.data, name), text);
  return folder;
}

const SETTINGS = { 'postgresql.auto.conf': "listen_addresses = '127.0.0.1'\n" };

describe('the data of ralph fleet up', () => {
  it.each([
    ['files', { 'thesis.txt': 'mine' }, /is not a PostgreSQL cluster/],
    ['a cluster of somebody else', { PG_VERSION: '15\n' }, /has not made/],
    ['a damaged cluster', SETTINGS, /PG_VERSION is missing/],
  ] as const)('are not made where there are %s', (_, files, message) => {
    const folder = folderWith(files);
    expect(() => hasOwnData(folder)).toThrow(message);
    expect(readdirSync(folder.data)).toEqual(Object.keys(files));
  });

  it('are used again although the address is lost, and are not made anew although they are lost', () => {
    expect(hasOwnData(folderWith({ PG_VERSION: '15\n', ...SETTINGS }))).toBe(true);
    const empty = folderWith({});
    expect(hasOwnData(empty)).toBe(false);
    writeFileSync(empty.address, 'postgres://ralph:pw@127.0.0.1:1/ralph\n');
    expect(() => hasOwnData(empty)).toThrow(/are gone/);
  });
});

describe('RALPH_FLEET_DIR', () => {
  const user = { uid: process.getuid!(), gid: process.getgid!(), prefix: [] };

  it.each([
    ['rel/dir', /"rel\/dir": it is not an absolute path/],
    ['/proc/x', /cannot be made/],
    [import.meta.filename, /cannot be made: EEXIST/],
  ])('cannot be %s', async (root, message) => {
    await expect(openFleetFolder(localFolder({ RALPH_FLEET_DIR: root }), user)).rejects.toThrow(message);
  });

  it('is the usual folder if it is empty', () => {
    expect(localFolder({ RALPH_FLEET_DIR: '' })).toEqual(localFolder({}));
  });
});
