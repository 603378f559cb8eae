import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { movedMap } from '../../../src/workspace/dependencies/moved-map.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** Where Plug'n'Play finds a package: a virtual path is its number of folders above the one that holds `__virtual__`. */
function placesIn(map: string, folder: string): string[] {
  const locations = [...map.matchAll(/"packageLocation": "([^"]*)"/g)].map((it) => it[1]!);
  return locations.map((location) => {
    const [, above = '', depth, rest = ''] = /^(.*)\/__virtual__\/[^/]+\/(\d+)\/(.*)$/.exec(location) ?? [];
    return depth === undefined
      ? resolve(folder, location)
      : resolve(folder, above, '../'.repeat(Number(depth)), rest);
  });
}

test('packages of a cache outside are found from another depth, and those beside the map in the copy', () => {
  const root = temporaryFolder();
  const location = (text: string): string => `"packageLocation": "${text}",\\\n`;
  const outside = [
    '../../cache/a.zip/node_modules/a/',
    './.yarn/__virtual__/b-virtual-0a/3/cache/b.zip/node_modules/b/',
    './packages/x/__virtual__/c-virtual-0b/5/elsewhere/c/',
  ];
  const inside = [
    './.yarn/__virtual__/d-virtual-0c/0/cache/d.zip/node_modules/d/',
    './.yarn/__virtual__/e-virtual-0d/1/packages/e/',
    './packages/e/',
    './',
  ];
  const [old, own] = [join(root, 'home/repository'), join(root, 'tmp/deep/down/tree')];
  const text = [...outside, ...inside].map(location).join('');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, '.pnp.cjs'), text);
  const moved = movedMap(join(old, '.pnp.cjs'), join(own, '.pnp.cjs'));
  const before = placesIn(text, old);
  const after = placesIn(moved, own);
  expect(after.slice(0, outside.length)).toEqual(before.slice(0, outside.length));
  expect(after.slice(outside.length)).toEqual(
    before.slice(outside.length).map((place) => place.replace(old, own)),
  );
  expect(moved).toContain('/node_modules/b/"');
});
