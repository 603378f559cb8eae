import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  claimedRepository,
  namedRepository,
  repositoryNamedAs,
} from '../../src/fleet/queue/named-repository.ts';
import { git, repositoryWith, temporaryFolder } from '../support/repositories.ts';

describe('a repository that is given by its path', () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  const bare = join(temporaryFolder(), 'shop.git');
  git(root, 'clone', '--quiet', '--bare', root, bare);
  const claimWith = async (origin: string): Promise<string | undefined> => {
    git(root, 'remote', 'remove', 'origin');
    git(root, 'remote', 'add', 'origin', origin);
    return (await claimedRepository(root))?.name;
  };
  const own = { name: realpathSync(root), address: realpathSync(root), organisation: 'local' };

  it('has its path as name, whatever its configuration says of its origin', () => {
    expect(namedRepository(root, '/')).toEqual(own);
    git(root, 'remote', 'add', 'origin', 'https://github.com/victim/secrets.git');
    expect(namedRepository('.', root)).toEqual(own);
    expect(namedRepository(bare, '/')).toMatchObject({ name: realpathSync(bare), organisation: 'local' });
    // As git finds it.
    expect(namedRepository(`file://${bare.replace(/\.git$/, '')}`, '/')).toMatchObject({
      name: realpathSync(bare),
    });
  });

  it('has the name of another one by the word of who gives both', () => {
    expect(repositoryNamedAs('.', 'git@github.com:octo/shop.git', root)).toEqual({
      ...{ name: 'github.com/octo/shop', organisation: 'github.com/octo', address: realpathSync(root) },
    });
    expect(() => repositoryNamedAs('https://github.com/a/b', 'https://github.com/octo/shop', root)).toThrow(
      'has a name already',
    );
  });

  it.each([
    ['https://github.com/octo/shop.git', 'github.com/octo/shop'],
    ['https://me:secret@github.com/octo/shop', 'github.com/octo/shop'],
    ['git@github.com:octo/shop.git', 'github.com/octo/shop'],
    ['/no/such/folder', undefined],
    ['.', undefined],
    [bare, realpathSync(bare)],
  ])('claims to be of its origin (%s)', async (origin, name) => {
    expect(await claimWith(origin)).toBe(name);
  });

  it('claims to be of the origin as it is configured, whatever git makes of it to get access', async () => {
    git(root, 'config', 'url.https://x-access-token:secret@mirror.example/.insteadOf', 'https://github.com/');
    git(root, 'config', 'url.https://gitlab.com/.insteadOf', 'gl:');
    expect(await claimWith('https://github.com/octo/shop')).toBe('github.com/octo/shop');
    expect(await claimWith('gl:octo/shop')).toBe('gitlab.com/octo/shop');
  });

  it('claims to be of the origin of the checkout that it was cloned from', async () => {
    await claimWith('https://github.com/octo/shop');
    const copy = join(temporaryFolder(), 'copy');
    git(root, 'clone', '--quiet', root, copy);
    expect(await claimedRepository(copy)).toMatchObject({
      ...{ name: 'github.com/octo/shop', organisation: 'github.com/octo' },
    });
    expect(namedRepository(copy, '/').name).toBe(realpathSync(copy));
  });
});
