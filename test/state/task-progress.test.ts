import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTaskProgress } from '../../src/state/task-progress.ts';
import { temporaryFolder } from '../support/repositories.ts';

const NOTE = { loop_id: 'ralph-a-20260101-abcdef', ticked: false };

describe('openTaskProgress', () => {
  it('reads progress after a kill, separately for each task file', async () => {
    const repositoryRoot = temporaryFolder();
    const open = (file: string) => openTaskProgress({ repositoryRoot, file, warn: expect.unreachable });
    const store = await open('/x/TODO.md');
    await Promise.all([store.save('one', NOTE), store.save('__proto__', { ...NOTE, ticked: true })]);
    const again = await open('/x/TODO.md');
    expect(again.noteOf('one')).toEqual(NOTE);
    expect(again.noteOf('__proto__')).toEqual({ ...NOTE, ticked: true });
    expect((await open('/y/TODO.md')).noteOf('one')).toBeUndefined();
  });

  it('sets damaged progress aside and starts again', async () => {
    const repositoryRoot = temporaryFolder();
    const file = '/x/TODO.md';
    await (await openTaskProgress({ repositoryRoot, file, warn: expect.unreachable })).save('one', NOTE);
    const folder = join(repositoryRoot, '.aiwg/ralph/tasks');
    const [name] = readdirSync(folder);
    writeFileSync(join(folder, name!), '{"file": 1}');
    const warnings: string[] = [];
    const store = await openTaskProgress({ repositoryRoot, file, warn: (text) => warnings.push(text) });
    expect(store.noteOf('one')).toBeUndefined();
    expect(warnings.join()).toMatch(/set aside as .*damaged/);
    expect(readFileSync(join(folder, `${name}.damaged`), 'utf8')).toBe('{"file": 1}');
  });
});
