import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namedRepository } from '../../src/fleet/queue/named-repository.ts';
import { git, repositoryWith, temporaryFolder } from '../support/repositories.ts';

describe('a repository that is given by its path', () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  const bare = join(temporaryFolder(), 'shop.git');
  git(root, 'clone', '--quiet', '--bare', root, bare);
  const nameWith = async (origin: string): Promise<string> => {
    git(root, 'remote', 'remove', 'origin');
    git(root, 'remote', 'add', 'origin', origin);
    const { name, address } = await namedRepository('.', root);
    expect(address).toBe(realpathSync(root));
    return name;
  };

  it('has its path as name without an origin, and if it is bare', async () => {
    const own = { name: realpathSync(root), address: realpathSync(root), organisation: 'local' };
    expect(await namedRepository(root, '/')).toEqual(own);
    expect(await namedRepository(bare, '/')).toMatchObject({ name: realpathSync(bare) });
    // As git finds it.
    expect(await namedRepository(`file://${bare.replace(/\.git$/, '')}`, '/')).toMatchObject({
      name: realpathSync(bare),
    });
    git(root, 'remote', 'add', 'origin', 'https://github.com/octo/shop.git');
  });

  it.each([
    ['https://github.com/octo/shop.git', 'github.com/octo/shop'],
    ['https://me:secret@github.com/octo/shop', 'github.com/octo/shop'],
    ['git@github.com:octo/shop.git', 'github.com/octo/shop'],
    ['/no/such/folder', realpathSync(root)],
    ['.', realpathSync(root)],
    [bare, realpathSync(bare)],
  ])('has the name of its origin (%s)', async (origin, name) => {
    expect(await nameWith(origin)).toBe(name);
  });

  it('has the name of the origin as it is configured, whatever git makes of it to get access', async () => {
    git(root, 'config', 'url.https://x-access-token:secret@mirror.example/.insteadOf', 'https://github.com/');
    git(root, 'config', 'url.https://gitlab.com/.insteadOf', 'gl:');
    expect(await nameWith('https://github.com/octo/shop')).toBe('github.com/octo/shop');
    expect(await nameWith('gl:octo/shop')).toBe('gitlab.com/octo/shop');
  });

  it('has the name of the origin of the checkout that it was cloned from', async () => {
    await nameWith('https://github.com/octo/shop');
    const copy = join(temporaryFolder(), 'copy');
    git(root, 'clone', '--quiet', root, copy);
    expect(await namedRepository(copy, '/')).toEqual({
      ...{ name: 'github.com/octo/shop', organisation: 'github.com/octo', address: realpathSync(copy) },
    });
  });
});
