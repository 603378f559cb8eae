import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { tableDefaults } from '../../../src/proof/strength/table-defaults.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** What is added for missing keys, in lines that stand in the place of `a += b;` after the table `OLD`. */
function defaultsOf(after: string): string[] {
  const root = temporaryFolder();
  const old = 'const OLD = { a: 1 };';
  writeFileSync(join(root, 'a.js'), `${old}\nfunction f(a, b) {\n${after}\nreturn a;\n}\n`);
  const added = after.split('\n').map((line) => `+${line}`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1,5 +1,5 @@'];
  const patch = [...head, ` ${old}`, ' function f(a, b) {', '-a += b;', ...added, ' return a;', ' }', ''];
  const request = { root, changes: { patch: patch.join('\n') }, testFiles: [] as string[] };
  return tableDefaults(changedSources(request as unknown as StrengthRequest)).map((it) => it.added!.trim());
}

describe('tableDefaults', () => {
  it.each([
    ['a table where it is used', 'a += { visits: b }[b.key] ?? 1;', ['?? 1']],
    [
      'a constant table',
      "const NAMES = { a: 'x', b: 'y' };\na = NAMES[b] ?? b.repeat(2);",
      ['?? b.repeat(2)'],
    ],
    ['a map', 'const known = new Map([[1205, 9], [7, 8]]);\na = known.get(b) || b.old();', ['|| b.old()']],
  ])('finds the value for keys that %s does not have', (_, after, found) => {
    expect(defaultsOf(after)).toEqual(found);
  });

  it.each([
    ["a += { 'a.example': '/', 'b.example': '/' }[b.host] ?? '';", '[b.host]'],
    ["const KNOWN = { 'a.txt': 1 };\na += KNOWN[b.name];", '[b.name]'],
    ["const KNOWN = new Map([['a', 1], ['b', 1]]);\na += KNOWN.get(b.name) ?? 0;", '.get(b.name)'],
  ])('finds the key of a table that has the same value for all: %s', (after, key) => {
    expect(defaultsOf(after)).toEqual([key]);
  });

  it('tries each key of a table whose key tells who calls', () => {
    const key = '[b.listeners("change").length]';
    expect(defaultsOf(`a = [a, b]${key} ?? a;`)).toEqual(['?? a', key, key]);
  });

  it.each([
    ['a table with several values', "a = { b: 1, c: 2 }[b.key] ?? '';"],
    ['a table of computed values', "a = { b: a + 1 }[b.key] ?? '';"],
    ['an empty value', 'a += { visits: b }[b.key] ?? 0;'],
    ['a table that the base has', 'a += OLD[b.key] ?? 7;'],
    ['a collection that is filled later', 'const counts = new Map();\na = counts.get(b) ?? 7;'],
    ['a property of data', 'a += b.options.key ?? 7;'],
    ['an item of a list of data', 'a += b[a] ?? 7;'],
  ])('leaves %s alone', (_, after) => {
    expect(defaultsOf(after)).toEqual([]);
  });
});
