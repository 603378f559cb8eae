import { describe, expect, test } from 'vitest';
import {
  addedPackages,
  locksMoreOnly,
  packagesAdded,
} from '../../../src/workspace/protect/added-packages.ts';

const locked = (version: string, more: object = {}): object => ({
  version,
  resolved: `https://registry.npmjs.org/x/-/x-${version}.tgz`,
  integrity: 'sha512-AAAA',
  ...more,
});
const ROOT = { name: 'shop', dependencies: { a: '^1.0.0' } };
const KNOWN = {
  '': ROOT,
  'node_modules/a': locked('1.0.0', { dev: true }),
  'node_modules/a/node_modules/deep': locked('1.0.0'),
  'packages/one': { name: 'one' },
};
const lock = (packages: object, version = 3): string =>
  JSON.stringify({ lockfileVersion: version, packages });
const BEFORE = lock(KNOWN);
const npm = (packages: object): boolean =>
  locksMoreOnly('package-lock.json', BEFORE, lock({ ...KNOWN, ...packages }));

describe('packagesAdded', () => {
  test('names what a list has more than before', () => {
    expect(packagesAdded({ a: '^1.0.0' }, { a: '^1.0.0', b: '2.x || >=3 <4', c: 'latest' })).toEqual([
      'b',
      'c',
    ]);
    expect(packagesAdded(undefined, { own: 'workspace:^', set: 'catalog:' })).toEqual(['own', 'set']);
    expect(packagesAdded({ a: '1' }, { a: '1' })).toEqual([]);
  });

  test.each([
    ['another version', { a: '2' }],
    ['a package that is gone', {}],
    ['a folder', { a: '1', b: 'file:../b' }],
    ['a link', { a: '1', b: 'link:../b' }],
    ['a repository', { a: '1', b: 'me/b' }],
    ['an address', { a: '1', b: 'https://example.org/b.tgz' }],
    ['another name', { a: '1', b: 'npm:c@1' }],
    ['no text', { a: '1', b: { version: '1' } }],
    ['a list', ['a']],
  ])('knows no answer for %s', (_, after) => {
    expect(packagesAdded({ a: '1' }, after)).toBeUndefined();
  });
});

describe('locksMoreOnly', () => {
  test('takes packages without an address where npm was told to write none', () => {
    const short = (version: string): object => ({ version, integrity: 'sha512-AAAA' });
    const before = { '': ROOT, 'node_modules/a': short('1.0.0') };
    const more = (known: object, added: object): boolean =>
      locksMoreOnly('package-lock.json', lock(known), lock({ ...known, 'node_modules/b': added }));
    expect(more(before, short('2.0.0'))).toBe(true);
    expect(more(before, { version: '2.0.0' })).toBe(false);
    expect(more(before, { ...short('2.0.0'), resolved: 'file:../b' })).toBe(false);
    expect(more({ ...before, 'node_modules/c': locked('1.0.0') }, short('2.0.0'))).toBe(false);
    expect(more({ '': ROOT }, short('2.0.0'))).toBe(false);
  });

  test('takes further packages of a registry, and what npm notes about who needs the others', () => {
    expect(
      npm({
        '': { ...ROOT, dependencies: { a: '^1.0.0', b: '^2.0.0' } },
        'node_modules/a': locked('1.0.0'),
        'node_modules/b': locked('2.0.0'),
        'node_modules/b/node_modules/a': locked('2.0.0'),
      }),
    ).toBe(true);
  });

  test('takes the version of one’s own package, and an address for a package that is named in a list now', () => {
    const short = { version: '1.0.0', integrity: 'sha512-AAAA', dev: true };
    const then = { ...KNOWN, '': { ...ROOT, version: '1.0.0' }, 'node_modules/b': short };
    const now = (root: object, entry: object): boolean =>
      locksMoreOnly('package-lock.json', lock(then), lock({ ...then, '': root, 'node_modules/b': entry }));
    const own = { ...ROOT, version: '1.1.0', dependencies: { a: '^1.0.0', b: '^1.0.0' } };
    expect(now(own, locked('1.0.0'))).toBe(true);
    expect(now({ ...own, name: 'other' }, short)).toBe(false);
    expect(now(own, locked('1.0.0', { integrity: 'sha512-BBBB' }))).toBe(false);
    expect(now(own, locked('1.0.1'))).toBe(false);
    expect(now(own, locked('1.0.0', { resolved: 'file:../b' }))).toBe(false);
    expect(now(own, { ...locked('1.0.0'), integrity: undefined })).toBe(false);
  });

  test('takes a new package of the workspace with the link to it', () => {
    const two = { 'packages/two': { name: 'two', version: '1.0.0' } };
    const link = (resolved: string): object => ({ resolved, link: true });
    expect(npm({ ...two, 'node_modules/two': link('packages/two') })).toBe(true);
    expect(npm({ ...two, 'node_modules/two': link('packages/one') })).toBe(false);
    expect(npm({ ...two, 'node_modules/a': link('packages/two') })).toBe(false);
    expect(npm({ ...two, 'packages/one/node_modules/a': link('packages/two') })).toBe(false);
    expect(npm({ '../two': {}, 'node_modules/two': link('../two') })).toBe(false);
  });

  test.each([
    ['another version of a package', { 'node_modules/a': locked('1.0.1') }],
    ['a package that is gone', { 'node_modules/a': undefined }],
    ['another version in the list', { '': { ...ROOT, dependencies: { a: '^2.0.0' } } }],
    ['another key of the project', { '': { ...ROOT, bin: 'x.js' } }],
    ['a link', { 'node_modules/b': { resolved: 'b', link: true } }],
    ['a folder', { 'node_modules/b': { version: '1.0.0', resolved: 'file:b.tgz', integrity: 'sha512-A' } }],
    ['no checksum', { 'node_modules/b': locked('1.0.0', { integrity: undefined }) }],
    ['another name', { 'node_modules/b': locked('1.0.0', { name: 'c' }) }],
    ['another copy for a package that was there', { 'node_modules/a/node_modules/a': locked('2.0.0') }],
    ['another copy for a folder that was there', { 'packages/one/node_modules/a': locked('2.0.0') }],
    ['a project of its own', { 'packages/two': { name: 'two' } }],
  ])('refuses %s', (_, packages) => {
    expect(npm(packages)).toBe(false);
  });

  test('refuses what it cannot read, and another format', () => {
    expect(locksMoreOnly('package-lock.json', BEFORE, '{')).toBe(false);
    expect(locksMoreOnly('package-lock.json', BEFORE, lock(KNOWN, 2))).toBe(false);
    expect(locksMoreOnly('package-lock.json', '{"lockfileVersion":1}', '{"lockfileVersion":1}')).toBe(false);
    expect(locksMoreOnly('bun.lockb', 'a', 'ab')).toBe(false);
  });

  test.each(['yarn.lock', 'pnpm-lock.yaml', 'bun.lock'])('takes further lines of %s', (name) => {
    expect(
      locksMoreOnly(`packages/one/${name}`, 'a:\n  b "1"\nz:\n', 'a:\n  b "1",\nc:\n  d "1"\nz:\n'),
    ).toBe(true);
    expect(locksMoreOnly(name, 'a:\n  b "1"\nz:\n', 'a:\n  b "2"\nz:\n')).toBe(false);
    expect(locksMoreOnly(name, 'a:\nz:\n', 'z:\na:\n')).toBe(false);
  });
});

test('addedPackages names packages that no list had before', () => {
  const before = JSON.stringify({ dependencies: { a: '1' }, devDependencies: { b: '1' } });
  const after = JSON.stringify({ dependencies: { a: '1', b: '1', c: '1' }, peerDependencies: { c: '1' } });
  expect(addedPackages(before, after)).toEqual(['c']);
  expect(addedPackages(before, '{')).toEqual([]);
});
