import { describe, expect, it } from 'vitest';
import { exchangedStatements } from '../../../src/proof/strength/exchanged-statements.ts';
import { lostCalls } from '../../../src/proof/strength/lost-calls.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { changedLines } from '../../support/changed-lines.ts';

const changed = (before: string, after: string, head = '', tail = '') =>
  changedLines({ before, after, head, tail });

describe('exchangedStatements', () => {
  const exchanged = (before: string, after: string, head = ''): string[] =>
    exchangedStatements(changed(before, after, head)).map(({ block }) => block.before.join('\n'));

  it.each([
    [
      'each declaration of a name',
      'var w = d * 5;\nvar y = d * 365.25;',
      'var w = d * 7;\nvar y = w * 52;',
      2,
    ],
    ['a thrown error', 'if (a > b) throw error;', 'if (a >= b) throw new Error(error.message);', 1],
    ['an awaited call', 'if (a > b) f();\nawait sleep(2 * n);', 'if (a >= b) f();\nawait sleep(1);', 1],
    ['a set member', 'o.a = 1;\nf();', 'o.a = 2;\ng();', 1],
  ])('finds %s', (_name, before, after, count) => {
    expect(exchanged(before, after)).toHaveLength(count);
  });

  it.each([
    ['a block of one statement, which is tried whole', 'var w = d * 5;', 'var w = d * 7;'],
    ['the same number in another way', 'var h = 60 * 60;\nvar w = 5;', 'var h = 3600;\nvar w = 7;'],
    ['what only looks otherwise', 'var h = a(b);\nvar w = 5;', 'var h = a( b );\nvar w = c;\nvar v = 1;'],
    ['statements for other things', 'a.x = 1;\nf();', 'a.y = 2;\ng();'],
    ['two of a kind', 'throw a;\nthrow b;', 'throw c;\nthrow d;'],
  ])('leaves out %s', (_name, before, after) => {
    const found = exchanged(before, after).filter((it) => !it.includes('w = 5'));
    expect(found).toEqual([]);
  });

  it('computes numbers from constants of the module', () => {
    const head = 'var s = 1000;\n';
    expect(exchanged('var m = s * 60;\nvar w = m * 5;', 'var m = 60000;\nvar w = m * 7;', head)).toEqual([
      'var w = m * 5;',
    ]);
  });
});

describe('lostCalls', () => {
  const CLASS = 'class A {\n  own() {}\n  run(a) {\n';
  const END = '  }\n}\n';
  const lost = (before: string, after: string, head = CLASS, tail = END) =>
    lostCalls(changed(before, after, head, tail)).map(({ removed }) => removed);

  it('finds a call of what the object got, and one that tells something', () => {
    expect(lost('this.audit(a);', 'this.sum += a;')).toEqual(['this.audit(a);']);
    expect(lost('if (b) {\nc();\nlogger.info(a);\n}', 'if (b > 1) c();')).toEqual(['logger.info(a);']);
  });

  it('makes the call again where its names may not be declared', () => {
    const [part] = lostCalls(
      changed('if (b) { const [x] = c(); this.onEvict(x); }', 'while (b) c();', CLASS, END),
    );
    const text = applyEdits(part!.source.parsed.text, part!.candidate.edits);
    expect(text).toContain(
      'this.onEvict((() => { try { return (x); } catch { return undefined; } })());\nwhile',
    );
  });

  it('finds a guard that asks a function of the source', () => {
    const head = 'const isBad = (it) => it.bad;\nfunction f(o, key) {\n';
    const guard = 'if (isBad(o, key)) { return; }';
    expect(lost(`${guard}\no = o[key];`, 'o = o[key] ??= {};', head, '}\n')).toEqual([guard]);
    expect(lost(`${guard}\no = o[key];`, 'if (!isBad(o)) o = o[key];', head, '}\n')).toEqual([]);
  });

  it.each([
    ['a call that the change makes elsewhere', 'this.audit(a);', 'for (const b of a) this.audit(b);'],
    ['a call of a method of the class', 'this.own(a);', 'this.sum += a;'],
    ['a call on data', 'this.list.push(a);', 'this.sum += a;'],
    ['a call whose result is used', 'return this.audit(a);', 'return a;'],
    ['a guard that asks nobody', 'if (a === 0) return;\nf(a);', 'g(a);'],
  ])('leaves out %s', (_name, before, after) => {
    expect(lost(before, after)).toEqual([]);
  });
});
