import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { removedItems } from '../../../src/proof/strength/removed-items.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** What a change of lines takes out of code that it keeps otherwise. */
function removedIn(before: string, after: string): (string | undefined)[] {
  const marked = (text: string, sign: string): string[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => sign + line);
  return removedBy([...marked(before, '-'), ...marked(after, '+')]);
}

/** The same for the lines of a patch from the first line of a file on. */
function removedBy(lines: readonly string[]): (string | undefined)[] {
  const root = temporaryFolder();
  const now = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  writeFileSync(join(root, 'a.js'), `${now.join('\n')}\n`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1 +1 @@'];
  const patch = [...head, ...lines, ''].join('\n');
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  return removedItems(changedSources(request as unknown as StrengthRequest)).map(({ removed }) => removed);
}

describe('removedItems', () => {
  it.each([
    ['an await', 'if (a) b();\nawait put(c);', 'if (d) b();\nput(c);', 'await'],
    ['a property', "f(a, { b, code: 'E' });", 'f(c, { b });', ", code: 'E'"],
    ['a call of a chain', 'x = p.then(a).catch(b);', 'y = p.then(a);', '.catch(b)'],
    ['an operand before a bracket', 'if (a > b || !c(d)) throw e;', 'if (a === b) throw e;', '|| !c(d)'],
    ['an operand', 'if (a > 1 && b) f();', 'if (a >= 1) f();', '&& b'],
    ['a statement', 'a = 1;\nf();\nb = 2;', 'a = 1;\nb = 3;', 'f();'],
    ['another operand than an assignment asks', 'a = a || b || 80;', 'a ||= 80;', 'a || b ||'],
    ['one of two equal statements', 'f();\na = 1;\nf();\nb = 2;', 'f();\na = 1;\nb = 3;', 'f();'],
  ])('finds %s', (_name, before, after, removed) => {
    expect(removedIn(before, after)).toEqual([removed]);
  });

  it.each([
    [
      'a declaration that is moved',
      'f(1, 2, 3, 4, 5, 6);\nconst a = (b) => b;\ng(a);',
      'const a = (b) => b;\nf(1, 2, 3, 4, 5, 6);\nh(a);',
    ],
    [
      'a result after another one',
      'const out = [];\nfor (let i = 0; i + n <= a.length; i += n) out.push(a.slice(i, i + n));\nreturn out;',
      'return Array.from({ length: Math.ceil(a.length / n) }, (_, i) => a.slice(i * n, (i + 1) * n));',
    ],
    ['half a declaration', 'const a = f(b);\nif (a) g();', 'f(b);\nif (c) g();'],
    ['a parameter', 'const f = (a, b) => a - 1;', 'const f = (a) => a + 1;'],
    ['an argument', 'if (a) f(b, c);', 'if (d) f(b);'],
    ['an imported name', "import { a, b } from 'c';\nf(1);", "import { a } from 'c';\nf(2);"],
    ['what an assignment asks already', 'a = a || 80;', 'a ||= 80;'],
    ['a block as a whole', 'f();', ''],
  ])('leaves out %s', (_name, before, after) => {
    expect(removedIn(before, after)).toEqual([]);
  });

  it('leaves out a statement that is moved to another block, and finds one that is not', () => {
    const moved = [
      ' try {',
      '   r();',
      ' } catch (e) {',
      '-  if (a > b) throw e;',
      '-  sleep(w * 2);',
      '+  if (a >= b) throw e;',
      ' }',
      '+sleep(w * 2);',
    ];
    expect(removedBy(moved)).toEqual([]);
    expect(removedBy(moved.slice(0, -1))).toEqual(['sleep(w * 2);']);
  });
});
