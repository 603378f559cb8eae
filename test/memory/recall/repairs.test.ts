import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRepairs, rememberRepairs, REPAIRS_FILE } from '../../../src/memory/recall/repairs.ts';
import type { Repair } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';

function repair(operator: string): Repair {
  return {
    loop_id: 'ralph-one',
    operator,
    edit: 'src/a.ts: a → b @0123456789',
    file_path: 'src/a.ts',
    test_file: 'test/a.test.ts',
    recorded_at: '2026-01-02T03:04:05.000Z',
  };
}

describe('repairs', () => {
  it('are empty at first, and adding none creates no file', async () => {
    const root = temporaryFolder();
    await rememberRepairs(root, []);
    expect(await readRepairs(root)).toEqual([]);
    expect(() => readFileSync(join(root, REPAIRS_FILE))).toThrow(/ENOENT/);
  });

  it('are returned in order, after those of earlier loops', async () => {
    const root = temporaryFolder();
    await rememberRepairs(root, [repair('guard'), repair('regex')]);
    await rememberRepairs(root, [repair('number')]);
    expect((await readRepairs(root)).map(({ operator }) => operator)).toEqual(['guard', 'regex', 'number']);
  });

  it('lose only damaged lines', async () => {
    const root = temporaryFolder();
    await rememberRepairs(root, [repair('guard')]);
    const path = join(root, REPAIRS_FILE);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, `${whole}{"operator": 1}\nnot json\n${whole.slice(0, 40)}`);
    expect(await readRepairs(root)).toEqual([repair('guard')]);
    await rememberRepairs(root, [repair('number')]);
    expect((await readRepairs(root)).map(({ operator }) => operator)).toEqual(['guard', 'number']);
  });

  it('keep an exact copy of a file with damaged lines before a rewrite', async () => {
    const root = temporaryFolder();
    await rememberRepairs(root, [repair('guard'), repair('regex')]);
    const path = join(root, REPAIRS_FILE);
    const harmed = readFileSync(path);
    harmed[20]! ^= 0x80;
    writeFileSync(path, harmed);
    expect(await rememberRepairs(root, [repair('number')])).toBe(`${path}.damaged`);
    expect(readFileSync(`${path}.damaged`)).toEqual(harmed);
    expect((await readRepairs(root)).map(({ operator }) => operator)).toEqual(['regex', 'number']);
    expect(await rememberRepairs(root, [repair('again')])).toBeUndefined();
  });

  it('throw where the file cannot be read', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, REPAIRS_FILE), { recursive: true });
    await expect(readRepairs(root)).rejects.toMatchObject({ code: 'workspace_unwritable' });
    await expect(rememberRepairs(root, [repair('guard')])).rejects.toMatchObject({ exitCode: 4 });
  });

  it('are neither read nor written through a link out of the repository', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    const folder = dirname(join(root, REPAIRS_FILE));
    mkdirSync(dirname(folder), { recursive: true });
    symlinkSync(outside, folder);
    await expect(rememberRepairs(root, [repair('guard')])).rejects.toThrow();
    expect(await readRepairs(root)).toEqual([]);
  });
});
