import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../../src/platform/files/read-folder.ts';
import { temporaryFolder } from '../../support/repositories.ts';

describe('readFolder', () => {
  it('returns the entries, and none if the folder does not exist', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'b'), '');
    expect((await readFolder(folder)).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect(await readFolder(join(folder, 'none'))).toEqual([]);
    expect(await readFolder(join(folder, 'b'))).toEqual([]);
  });

  it('throws if the folder cannot be read', async () => {
    await expect(readFolder(join(temporaryFolder(), 'x'.repeat(300)))).rejects.toMatchObject({ exitCode: 4 });
  });
});
