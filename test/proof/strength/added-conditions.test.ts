import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { addedConditions } from '../../../src/proof/strength/added-conditions.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** The conditions of lines that are added to a function, in place of `a = 1;`, each as `what: what stays`. */
function conditionsOf(after: string, before = 'a = 1 < b / 77; // 1234'): string[] {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.js'), `function f(a, b) {\n${after}\nreturn a;\n}\n`);
  const added = after.split('\n').map((line) => `+${line}`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1,4 +1,4 @@'];
  const patch = [...head, ' function f(a, b) {', `-${before}`, ...added, ' return a;', ' }', ''];
  const request = { root, changes: { patch: patch.join('\n') }, testFiles: [] as string[] };
  const sources = changedSources(request as unknown as StrengthRequest);
  return addedConditions(sources).map(({ added: part, edit }) => `${part}: ${edit.replacement}`);
}

describe('addedConditions', () => {
  it.each([
    ['a bound', 'return b && b.size < 16;', ['b && b.size < 16: (b)']],
    [
      'a branch by a bound',
      'return b + (b.n++ < 25 ? a : 0);',
      ['b.n++ < 25 ? a : 0: (a)', 'b.n++ < 25 ? a : 0: (0)'],
    ],
    [
      'a statement under a bound',
      'if (b.size < 16) b.delete(a);',
      ['if (b.size < 16) b.delete(a);: b.delete(a);'],
    ],
    ['a pattern', 'return b && /[a-z]/.test(b[2]);', ['b && /[a-z]/.test(b[2]): (b)']],
    [
      'errors that are caught',
      'try { g(b); } catch (error) { a = error; }',
      ['try { g(b); } catch (error) { a = error; }: { g(b); }'],
    ],
    [
      'a guard that answers for one value',
      "if (b.size === 55) return 'june';",
      ["if (b.size === 55) return 'june';: "],
    ],
    [
      'a bound by what something is divided by',
      'return b > 77 ? 0 : b.n++;',
      ['b > 77 ? 0 : b.n++: (0)', 'b > 77 ? 0 : b.n++: (b.n++)'],
    ],
    [
      'a pattern that decides between two texts',
      "return /[a-z]/.test(b) ? '&' : '&amp;';",
      ["/[a-z]/.test(b) ? '&' : '&amp;': ('&')", "/[a-z]/.test(b) ? '&' : '&amp;': ('&amp;')"],
    ],
    ['an operand beside one of before', 'return 1 < b && b === 1;', ['1 < b && b === 1: (1 < b)']],
    ['a value beside one of before', 'return g(1 < b || f);', ['1 < b || f: (1 < b)']],
  ])('finds %s', (_, after, parts) => {
    expect(conditionsOf(after)).toEqual(parts);
  });

  it('leaves out an operand that is written in another way, and not a further one', () => {
    const before = 'return a.name === b.name && a.points === a.points;';
    expect(conditionsOf('return a.name === b.name && a.points === b.points;', before)).toEqual([]);
    expect(conditionsOf('return a.name === b.name && b.isOpen === true;', before)).toEqual([
      'a.name === b.name && b.isOpen === true: (a.name === b.name)',
    ]);
  });

  it.each([
    ['a guard with a bound', 'if (b.length > 99 || b.depth > 20) throw new Error();'],
    ['a guard with a bound that returns what is given', 'if (b.length > 99) return b;'],
    ['a guard with a bound that returns nothing', "if (b.length > 99) return '';"],
    ['values for ranges', "return b < 55 ? 'low' : b < 77 ? 'middle' : 'high';"],
    ['a question for a value beside what was before', 'return 1 < b && b.c !== undefined;'],
    ['an empty value beside what was before', "return 1 < b || '';"],
    ['a number that was there', 'return b && b.size < 1234;'],
    ['a small number', 'return b && b.size > 0;'],
    [
      'errors that are thrown with more words',
      'try { g(b); } catch (cause) { throw new Error("g", { cause }); }',
    ],
    ['what is done at last', 'try { g(b); } finally { a.close(); }'],
  ])('leaves out %s', (_, after) => {
    expect(conditionsOf(after)).toEqual([]);
  });
});
