import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepDamaged, keepEarlier } from '../../../src/platform/files/set-aside.ts';
import { temporaryFolder } from '../../support/repositories.ts';

describe('keepDamaged and keepEarlier', () => {
  it('write to a new name next to the file, and overwrite no earlier copy', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.json');
    expect(await keepDamaged(path, Buffer.from('one'))).toBe(`${path}.damaged`);
    expect(await keepDamaged(path, Buffer.from([0, 255]))).toBe(`${path}.damaged-2`);
    expect(await keepEarlier(path, Buffer.from('sound'))).toBe(`${path}.earlier`);
    expect(readdirSync(folder).sort()).toEqual(['a.json.damaged', 'a.json.damaged-2', 'a.json.earlier']);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('one');
    expect([...readFileSync(`${path}.damaged-2`)]).toEqual([0, 255]);
  });
});
