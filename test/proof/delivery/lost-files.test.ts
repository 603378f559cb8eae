import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLostFile } from '../../../src/proof/delivery/lost-files.ts';
import { git, temporaryFolder, writeFiles } from '../../support/repositories.ts';

type Texts = Readonly<Record<string, string>>;

const BASE = {
  'package.json': '{ "name": "kit", "main": "lib/index.js", "files": ["lib", "bin"] }',
  'lib/index.js': "export { area } from './area.js';\n",
  'lib/area.js': 'export const area = (w, h) => w + h;\n',
  'bin/kit.js': "#!/usr/bin/env node\nimport '../lib/index.js';\n",
  'tools/make.js': 'export {};\n',
};

interface Edit {
  readonly base?: Texts;
  readonly write?: Texts;
  readonly remove?: readonly string[];
  readonly link?: string;
  /** Where the link leads; default: to a file beside it. */
  readonly to?: string;
  readonly unstartable?: readonly string[];
}

async function found({
  base = BASE,
  write = {},
  remove = [],
  link,
  to = 'index.js',
  unstartable = [],
}: Edit): Promise<string | undefined> {
  const root = temporaryFolder();
  writeFiles(root, base);
  git(root, 'init', '--quiet');
  git(root, 'add', '--all');
  writeFiles(root, write);
  const links = link === undefined ? [] : [link];
  for (const path of [...remove, ...links]) rmSync(join(root, path), { force: true });
  if (link !== undefined) symlinkSync(to, join(root, link));
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findLostFile({
    request,
    sources: Object.keys(write).filter((path) => path.endsWith('.js')),
    data: Object.keys(write).filter((path) => !path.endsWith('.js')),
    unstartable,
    links,
    lost: [...remove, ...links].filter((path) => path in base),
    baseText: (path) => Promise.resolve(base[path]),
  });
}

const FIXED = { 'lib/area.js': 'export const area = (w, h) => w * h;\n' };

it.each<[string, Edit, string]>([
  [
    'not executable any more',
    { write: FIXED, unstartable: ['bin/kit.js'] },
    'bin/kit.js can no longer be started as a program',
  ],
  ['a link', { link: 'lib/area.js' }, 'lib/area.js is a symbolic link now'],
  [
    'a link to what is installed',
    { link: 'lib/area.js', to: '../node_modules/.keep/area.js' },
    'lib/area.js is a symbolic link to ../node_modules/.keep/area.js, which is no file of the repository',
  ],
  ['a new link out of the repository', { link: 'lib/more.js', to: '/tmp/area.js' }, 'link to /tmp/area.js'],
  ['a new link beside the repository', { link: 'lib/more.js', to: '../../area.js' }, 'link to ../../area.js'],
  [
    'a link to what git ignores',
    {
      base: { ...BASE, '.gitignore': 'cache/\n', 'cache/area.js': '' },
      link: 'lib/area.js',
      to: '../cache/area.js',
    },
    'link to ../cache/area.js',
  ],
  [
    'ignored by a new file',
    { write: { ...FIXED, 'lib/.gitignore': 'area.js\n' } },
    'left out of the package by lib/.gitignore',
  ],
  [
    'ignored for npm',
    { write: { ...FIXED, 'lib/.npmignore': 'a*\n' } },
    'left out of the package by lib/.npmignore',
  ],
  [
    'a program without its first line',
    { write: { 'bin/kit.js': "import '../lib/index.js';\n" } },
    'bin/kit.js began with #!/usr/bin/env node',
  ],
  [
    'a program whose first line ends otherwise',
    { write: { 'bin/kit.js': "#!/usr/bin/env node\r\nimport '../lib/index.js';\r\n" } },
    'that line ends with CR LF now',
  ],
  ['a deleted module', { remove: ['lib/area.js'] }, 'lib/area.js is deleted'],
])('names a source that is %s', async (_, edit, text) => {
  const sentence = await found(edit);
  expect(sentence).toContain(text);
  expect(sentence).toMatch(/--allow (lib\/area|lib\/more|bin\/kit)\.js permits it\.$/);
});

const PRIVATE = { ...BASE, 'package.json': '{ "name": "kit", "private": true }' };
const PLAIN = { ...BASE, 'package.json': '{ "name": "kit", "scripts": {} }' };
const EXPORTS = { ...BASE, 'package.json': '{ "name": "kit", "exports": "./lib/index.js" }' };

it.each<[string, Edit]>([
  ['a repair', { write: FIXED }],
  ['an ignore file about other files', { write: { ...FIXED, 'lib/.gitignore': '*.log\n' } }],
  ['another first line', { write: { 'bin/kit.js': '#!/usr/bin/env -S node --no-warnings\n' } }],
  ['a deleted file that is not in the package', { remove: ['tools/make.js'] }],
  ['a deleted file behind exports', { base: EXPORTS, remove: ['lib/area.js'] }],
  ['a deleted file of a private package', { base: PRIVATE, remove: ['lib/area.js'] }],
  ['a deleted file where nothing is delivered', { base: PLAIN, remove: ['lib/area.js'] }],
  ['a module that nobody starts', { write: FIXED, unstartable: ['lib/area.js'] }],
  ['a link in a private package', { base: PRIVATE, link: 'lib/area.js' }],
  ['a new link to a file', { link: 'lib/more.js', to: './area.js' }],
  ['a new link to a folder', { link: 'source', to: 'lib' }],
  ['a new link to a new file', { write: { 'lib/new.js': '' }, link: 'lib/more.js', to: 'new.js' }],
])('accepts %s', async (_, edit) => {
  expect(await found(edit)).toBeUndefined();
});
