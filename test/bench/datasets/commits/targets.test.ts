import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTargets } from '../../../../bench/datasets/commits/targets.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';

describe('readTargets', () => {
  it('reads a clone and its commits', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'defu/a': '' });
    expect(await readTargets({ repository: join(folder, 'defu'), commits: ['one', 'two'] })).toEqual([
      { repository: 'defu', clone: join(folder, 'defu'), commit: 'one' },
      { repository: 'defu', clone: join(folder, 'defu'), commit: 'two' },
    ]);
  });

  it('reads a list, with clones by name', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'defu/a': '', 'list.json': [{ repository: 'unjs/defu', commits: ['one'] }] });
    const from = join(folder, 'list.json');
    expect(await readTargets({ commits: [], from, clones: folder })).toEqual([
      { repository: 'unjs/defu', clone: join(folder, 'defu'), commit: 'one' },
    ]);
  });

  it.each([
    [{ commits: [] }, 'No commit is given'],
    [{ repository: '.', commits: [] }, 'No commit is given'],
    [{ repository: '/no/such', commits: ['a'] }, '/no/such is not a folder'],
    [{ repository: '.', commits: ['a'], from: 'x' }, 'exclude each other'],
    [{ commits: [], from: 'x' }, '--clones DIR'],
    [{ commits: [], from: '/no/such.json', clones: '.' }, '--from /no/such.json cannot be read'],
  ])('rejects %j', async (request, message) => {
    const failure = await readTargets(request).catch((error: unknown) => error as Error & { hint?: string });
    expect(failure).toMatchObject({ exitCode: 2 });
    expect(JSON.stringify([(failure as Error).message, (failure as { hint?: string }).hint])).toContain(
      message,
    );
  });

  it.each([
    [{}, 'it must be a list'],
    [[{ repository: 'a/b', commits: ['x'] }, { repository: 'a/b' }], 'entry 2 must be'],
    [[{ repository: 'a/b', commits: [1] }], 'entry 1 must be'],
  ])('rejects the list %j', async (list, message) => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'list.json': list });
    await expect(
      readTargets({ commits: [], from: join(folder, 'list.json'), clones: folder }),
    ).rejects.toThrow(message);
  });
});
