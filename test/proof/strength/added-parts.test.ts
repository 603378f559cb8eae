import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isActing } from '../../../src/ci/rules/reaches.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { addedParts } from '../../../src/proof/strength/added-parts.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** The parts of lines that are added to a function, in place of `a = 1;`. */
function partsOf(after: string): (string | undefined)[] {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.js'), `function f(a, b) {\n${after}\nreturn a;\n}\n`);
  const added = after.split('\n').map((line) => `+${line}`);
  const head = ['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', '@@ -1,4 +1,4 @@'];
  const patch = [...head, ' function f(a, b) {', '-a = 1; // 1234', ...added, ' return a;', ' }', ''].join(
    '\n',
  );
  const request = { root, changes: { patch }, testFiles: [] as string[] };
  const sources = changedSources(request as unknown as StrengthRequest);
  return addedParts(sources, isActing).map(({ added: part }) => part);
}

describe('addedParts', () => {
  it.each([
    ['a call', 'a = 2; g.open(b);', ['a = 2;', 'g.open(b);']],
    ['a condition', 'a = 2;\nif (b) g.c = b;', ['a = 2;', 'if (b) g.c = b;', 'g.c = b;']],
    ['a loop', 'a = 2;\nfor (const c of []) a += c;', ['a = 2;', 'for (const c of []) a += c;', 'a += c;']],
    ['a variable that something fills', 'a = 2;\nconst c = g();', ['a = 2;', 'const c = g();']],
    ['a guard that acts', 'if (fetch(b)) return 0;', ['if (fetch(b)) return 0;']],
    ['a label', 'c: { a = 2; }', ['c: ', 'a = 2;']],
    ['a branch', 'return process.env.B ? 2 : 1;', ['process.env.B ? 2 : 1', 'process.env.B ? 2 : 1']],
    ['an operand', 'return a + (fetch(b) && 0);', ['a + (fetch(b) && 0)', 'fetch(b) && 0']],
    ['an argument', 'return f(a, fetch(b));', ['fetch(b)']],
    ['an item', 'return [a, fetch(b)];', ['fetch(b)']],
    ['a property', 'return { a, b: fetch(b) };', ['fetch(b)']],
    ['a default', 'return (c = process.env.B) => c;', [' = process.env.B']],
    ['each of two', 'return [fetch(a), fetch(b)];', ['fetch(a)', 'fetch(b)']],
    ['an expression that nobody uses', 'return (fetch(b), a);', ['fetch(b), a']],
    ['a guard for a value that is new', "if (b.code === 'x9') return 0;", ["if (b.code === 'x9') return 0;"]],
    ['a guard for a number that is new', 'if (b === 4711) return 0;', ['if (b === 4711) return 0;']],
    [
      'a guard for a text that is new',
      "if (b.includes('x9')) return 0;",
      ["if (b.includes('x9')) return 0;"],
    ],
    ['a branch for a new value', "return b === 'x9' ? 0 : 1;", ["b === 'x9' ? 0 : 1", "b === 'x9' ? 0 : 1"]],
    ['a member of a new name', 'return b.factor ?? 1;', ['b.factor ?? 1']],
    ['an operand with a new value', "return a && b !== 'x9';", ["a && b !== 'x9'"]],
  ])('finds %s', (_, after, parts) => {
    expect(partsOf(after)).toEqual(parts);
  });

  it.each([
    ['a guard', 'if (a === null) return 0;\nif (b) {\n  throw new Error();\n}'],
    [
      'a guard for a type, a sign or a small number',
      "if (typeof a === 'string' || a === '/' || b === 1) return 0;",
    ],
    ['a guard for what was there before', 'if (a === 1234) return 0;'],
    ['a constant', 'const c = b + 1;'],
    ['a default that computes', 'return a ?? (b ? 1 : 0);'],
    ['what was there', 'a = 1;'],
  ])('leaves out %s', (_, after) => {
    expect(partsOf(after)).toEqual([]);
  });
});
