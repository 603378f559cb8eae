import { expect, test } from 'vitest';
import { parseIssue, parseRemote, parseRepository } from '../../../src/ci/github/repository-name.ts';

const shop = { owner: 'octo-org', name: 'shop' };

test.each([
  ['https://github.com/octo-org/shop.git', 'github.com'],
  ['https://github.com/octo-org/shop', 'github.com'],
  ['https://x-access-token:secret@github.com/octo-org/shop.git', 'github.com'],
  ['git@github.com:octo-org/shop.git', 'github.com'],
  ['ssh://git@github.com:22/octo-org/shop.git', 'github.com'],
  ['git@GitHub.example.org:octo-org/shop', 'github.example.org'],
  ['https://git.example.org:8443/octo-org/shop/', 'git.example.org:8443'],
])('parses the remote %s as octo-org/shop on %s', (url, host) => {
  expect(parseRemote(url)).toEqual({ host, repository: shop });
});

test.each([
  '/srv/git/shop.git',
  'file:///srv/git/shop.git',
  '../shop',
  'https://gitlab.com/group/sub/shop.git',
  'C:\\shop',
])('parses no repository from the remote %s', (url) => {
  expect(parseRemote(url)).toBeUndefined();
});

test('parses an issue as repository and number', () => {
  expect(parseIssue('octo-org/shop#42')).toEqual({ repository: shop, number: 42 });
});

test.each([
  '42',
  '#42',
  'octo-org/shop',
  'octo-org/shop#0',
  'octo-org/../#1',
  'a/b#1#2',
  'octo-org/shop#1?x',
  'a b/c#1',
])('--issue %s is a usage error', (text) => {
  expect(() => parseIssue(text)).toThrow(/is not a GitHub issue/);
});

test.each(['octo-org', 'a/b/c', '/shop', 'octo-org/..', '-a/b', ''])(
  '"%s" is not a repository name',
  (text) => {
    expect(parseRepository(text)).toBeUndefined();
  },
);
