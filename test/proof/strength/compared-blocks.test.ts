import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/platform/text/line-diff.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { changedSources } from '../../../src/proof/strength/changed-sources.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const CART = `export class Cart {
  #lines = [];
  add(line) {
    this.#lines.push({ ...line });
  }
  lines() {
    return this.#lines.map((line) => ({ ...line }));
  }
}
export function total(list, by) {
  let sum = 0;
  for (const one of list) sum += one.price + one.count;
  return { sum, by };
}
`;

/** The old and new lines of each changed block, for a change of some files to other texts; an empty text is no file. */
function comparedIn(changes: Readonly<Record<string, readonly [before: string, after: string]>>): string[] {
  const root = temporaryFolder();
  const patches = Object.entries(changes).map(([path, [before, after]]) => {
    if (after !== '') writeFileSync(join(root, path), after);
    const diff = unifiedDiff(path, before, after);
    const named = after === '' ? diff.replace(/^\+\+\+ .*/m, '+++ /dev/null') : diff;
    return `diff --git a/${path} b/${path}\n${named}`;
  });
  const request = { root, changes: { patch: patches.join('') }, testFiles: [] as string[] };
  return changedSources(request as unknown as StrengthRequest).flatMap(({ parsed, blocks }) =>
    blocks.map(({ before, line, lines }) => {
      const after = parsed.text.split('\n').slice(line - 1, line - 1 + lines);
      return [...before.map((it) => `- ${it.trim()}`), ...after.map((it) => `+ ${it.trim()}`)].join('\n');
    }),
  );
}

/** The lines that a change of the class alone leaves, with other names or without. */
const change = (text: string, ...edits: readonly (readonly [string, string])[]): string =>
  edits.reduce((now, [from, to]) => now.replaceAll(from, to), text);

const REPAIR = ['one.price + one.count', 'one.price * one.count'] as const;
const REPAIRED = [
  '- for (const one of list) sum += one.price + one.count;',
  '+ for (const one of list) sum += one.price * one.count;',
].join('\n');
const HANDED_OUT = ['- return this.#items.map((line) => ({ ...line }));', '+ return this.#items;'].join('\n');

describe('blocks of a change', () => {
  it('leave out a private name that is another one', () => {
    const after = change(CART, ['#lines', '#items'], REPAIR);
    expect(comparedIn({ 'a.js': [CART, after] })).toEqual([REPAIRED]);
  });

  it('leave out names within a function that are other ones, and keep what changes beside them', () => {
    const named = change(
      CART,
      ['sum', 'amount'],
      ['by', 'key'],
      ['{ amount, key }', '{ sum: amount, by: key }'],
    );
    expect(comparedIn({ 'a.js': [CART, change(named, REPAIR)] })).toEqual([
      change(REPAIRED, ['sum', 'amount']),
    ]);
  });

  it('keep a variable in whose place the language gives something', () => {
    const before = 'export const f = (list) => {\n  const out = [];\n  g(out);\n  return out;\n};\n';
    const after = 'export const f = (list) => {\n  return Array.from(list);\n};\n';
    expect(comparedIn({ 'a.js': [before, after] }).join('\n')).not.toContain('const Array');
  });

  it('leave out a parameter that is taken by another name', () => {
    const before = 'export const wait = ({ rest = (ms) => ms, by }) => rest(by + 1);\n';
    const after = 'export const wait = ({ rest: pause = (ms) => ms & 1, by: n }) => pause(n * 1);\n';
    expect(comparedIn({ 'a.js': [before, after] })).toEqual([
      '- export const wait = ({ rest: pause = (ms) => ms, by: n }) => pause(n + 1);\n+ ' + after.trim(),
    ]);
  });

  it('show what changes under another name', () => {
    const after = change(
      CART,
      ['return this.#lines.map((line) => ({ ...line }));', 'return this.#lines;'],
      ['#lines', '#items'],
      REPAIR,
    );
    expect(comparedIn({ 'a.js': [CART, after] })).toEqual([HANDED_OUT, REPAIRED]);
  });

  it('show what changes in code that is moved', () => {
    const after = change(CART, ['this.#lines.map((line) => ({ ...line }))', 'this.#lines'], REPAIR);
    const handedOut = change(HANDED_OUT, ['#items', '#lines']);
    expect(comparedIn({ 'b.js': ['', after], 'a.js': [CART, "export * from './b.js';\n"] })).toContain(
      handedOut,
    );
    expect(comparedIn({ 'b.js': ['', after], 'a.js': [CART, ''] })).toEqual([handedOut, REPAIRED]);
  });

  it('take nothing for moved that the old file keeps', () => {
    const [first, second] = [
      CART.slice(0, CART.indexOf('export function')),
      CART.slice(CART.indexOf('export function')),
    ];
    const blocks = comparedIn({ 'b.js': ['', change(second, REPAIR)], 'a.js': [CART, first] });
    expect(blocks).toContain(REPAIRED);
    expect(blocks.join('\n')).not.toContain('- lines() {');
  });

  it.each([
    [
      'a name that is still there',
      change(CART, ['let sum', 'let amount'], ['sum +=', 'amount +='], ['{ sum', '{ sum: sum ?? amount']),
      '+ let amount = 0;',
    ],
    ['another variable that was there', change(CART, ['+= one.price', '+= list.price']), 'list.price'],
    ['the name of a member', change(CART, ['one.price', 'one.cost']), 'one.cost'],
    ['names alone', change(CART, ['sum', 'amount'], ['{ amount', '{ sum: amount']), '+ let amount = 0;'],
  ])('keep %s', (_name, after, shown) => {
    expect(comparedIn({ 'a.js': [CART, after] }).join('\n')).toContain(shown);
  });

  const RATES = '{ food: 700, book: 700, other: 1900 }';
  const tax = (rates: string, divisor: string): string =>
    `const RATES = ${rates};\n\nfunction taxIn(cents, kind) {\n  return (cents * RATES[kind]) / ${divisor};\n}\nmodule.exports = { taxIn };\n`;
  const before = tax(RATES, '10000');
  const after = tax("require('./rates')", '(10000 + RATES[kind])');
  const divided = [
    '- return (cents * RATES[kind]) / 10000;',
    '+ return (cents * RATES[kind]) / (10000 + RATES[kind]);',
  ].join('\n');
  const requires = [`- const RATES = ${RATES};`, "+ const RATES = require('./rates');"].join('\n');

  it('leave out a declaration that stands in a new file as it was', () => {
    const found = comparedIn({ 'tax.js': [before, after], 'rates.js': ['', `module.exports = ${RATES};\n`] });
    expect(found).toContain(divided);
    expect(found).not.toContain(requires);
  });

  it('keep a declaration of which the new file has another one, or that is loaded from elsewhere', () => {
    const other = `module.exports = ${RATES.replace('1900', '190')};\n`;
    expect(comparedIn({ 'tax.js': [before, after], 'rates.js': ['', other] })).toContain(requires);
    const same = `module.exports = ${RATES};\n`;
    expect(comparedIn({ 'tax.js': [before, after], 'copy.js': ['', same] })).toContain(requires);
  });
});
