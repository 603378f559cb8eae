import { expect, it } from 'vitest';
import { findRebuilt } from '../../../src/proof/delivery/rebuilt-files.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

function found(scripts: Readonly<Record<string, string>>, sources: readonly string[]): string | undefined {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { name: 'kit', main: 'dist/index.js', scripts },
    'build.mjs': "fs.copyFileSync('src/index.js', 'dist/index.js');\n",
    'docs.mjs': "fs.writeFileSync('docs/index.html', '');\n",
  });
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1, signal: new AbortController().signal };
  return findRebuilt({ request, sources, baseText: () => Promise.resolve('') });
}

const BUILD = { build: 'mkdir -p dist && cp src/*.js dist/', prepack: 'npm run build' };

it.each([
  ['a script that is called', BUILD],
  ['a program that the script runs', { prepack: 'node build.mjs' }],
  ['the script itself', { prepare: 'tsc --outDir dist' }],
  ['a build that people run', { build: BUILD.build }],
])('says that %s writes a changed file anew', (_, scripts) => {
  expect(found(scripts, ['dist/index.js'])).toContain(
    'dist/index.js is changed, and no source outside of dist: the script "',
  );
});

it.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['a change of the sources', BUILD, ['dist/index.js', 'src/index.js']],
  ['a source in another folder', BUILD, ['lib/index.js']],
  ['a build of another folder', { build: 'typedoc --out docs src' }, ['dist/index.js']],
  ['a script of another name', { docs: BUILD.build }, ['dist/index.js']],
  [
    'a script that writes something else',
    { prepack: 'npm run docs', docs: 'typedoc src' },
    ['dist/index.js'],
  ],
])('accepts %s', (_, scripts, sources) => {
  expect(found(scripts, sources)).toBeUndefined();
});
