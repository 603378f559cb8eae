import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { proposeCandidates } from '../../../../src/repair/operators/propose/candidates.ts';
import { applyEdits } from '../../../../src/repair/syntax/edit.ts';
import { parserOptions } from '../../../../src/repair/syntax/parse.ts';

const SOURCES = join(import.meta.dirname, '../../../../src');

const CART = `
import { tax } from './tax.js';

export const LIMIT = 10;

export class Cart {
  #items = [];
  add(item, count = 1) {
    for (let i = 0; i < count; i++) this.#items.push({ ...item });
    return this;
  }
  get total() {
    return this.#items.reduce((sum, { price }) => sum + price, 0) * (1 + tax.rate);
  }
  async *pages(size) {
    outer: for (const item of this.#items) {
      if (item?.hidden) continue outer;
      yield await item;
    }
    switch (size) {
      case 1:
        return 'one';
      default:
        break;
    }
  }
}

export function label({ name, price = 0 }, currency) {
  if (name == null || name.trim() === '') return 'none'
  const text = \`\${name}: \${price.toFixed(2)} \${currency}\`
  return text.length > LIMIT ? text.slice(0, LIMIT) : text
}
`;

const VIEW = `
interface Props<T extends string = 'a'> { readonly items: readonly T[]; onPick?: (item: T) => void }
export const View = <T extends string>({ items, onPick }: Props<T>) => {
  const visible = items.filter((item) => item.length > 1) as T[];
  return <ul className="list">{visible.map((item) => <li key={item} onClick={() => onPick?.(item)}>{item!}</li>)}</ul>;
};
`;

const errorsIn = (file: string, text: string): number => parse(text, parserOptions(file)).errors?.length ?? 0;

const ADD = 'export function add(a, b) {\n  return a - b;\n}\n';

describe('proposeCandidates', () => {
  it.each([
    ['cart.js', CART],
    ['view.tsx', VIEW],
    ['process.ts', readFileSync(join(SOURCES, 'platform/processes/process.ts'), 'utf8')],
    ['environment.ts', readFileSync(join(SOURCES, 'platform/processes/environment.ts'), 'utf8')],
  ])('changes %s into distinct texts that all parse', (file, text) => {
    const candidates = proposeCandidates({ file, text, limit: 1500 });
    const texts = candidates.map(({ edits }) => applyEdits(text, edits));
    expect(candidates.length).toBeGreaterThan(200);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).not.toContain(text);
    expect(texts.filter((changed) => errorsIn(file, changed) > 0)).toEqual([]);
  });

  it('gives unique signatures of at most 500 characters, with the texts before and after', () => {
    const signatures = proposeCandidates({ file: 'src/cart.js', text: CART }).map(
      ({ signature }) => signature,
    );
    expect(new Set(signatures).size).toBe(signatures.length);
    expect(signatures.every((signature) => signature.length <= 500)).toBe(true);
    expect(signatures.every((signature) => /^src\/cart\.js: .+ → .+ @[0-9a-f]{10}$/.test(signature))).toBe(
      true,
    );
  });

  it('proposes the natural repair of a wrong operator among the first five', () => {
    const first = proposeCandidates({ file: 'add.js', text: ADD }).slice(0, 5);
    expect(first.map(({ signature }) => signature)).toContainEqual(
      expect.stringContaining('return a - b; → return a + b;'),
    );
  });

  it('is deterministic', () => {
    const request = { file: 'cart.js', text: CART };
    expect(proposeCandidates(request)).toEqual(proposeCandidates(request));
  });

  it('orders by prior × suspicion and stays inside the regions', () => {
    const text = `${ADD}export function sub(a, b) {\n  return a + b;\n}\n`;
    const at = text.indexOf('return a + b');
    const regions = [{ start: at, end: at + 13, weight: 1 }];
    const inside = proposeCandidates({ file: 'a.js', text, regions });
    expect(inside.length).toBeGreaterThan(5);
    expect(inside.every(({ edits }) => edits[0]!.start >= at && edits[0]!.start < at + 13)).toBe(true);
    const both = proposeCandidates({
      file: 'a.js',
      text,
      regions: [{ start: 0, end: text.length, weight: 0.01 }, ...regions],
    });
    expect(both.slice(0, 10).every(({ line }) => line === 5)).toBe(true);
  });

  it('leaves out excluded signatures', () => {
    const all = proposeCandidates({ file: 'add.js', text: ADD });
    const exclude = new Set(all.slice(0, 20).map(({ signature }) => signature));
    const rest = proposeCandidates({ file: 'add.js', text: ADD, exclude });
    expect(rest.map(({ signature }) => signature)).toEqual(all.slice(20).map(({ signature }) => signature));
  });

  it('keeps a signature when lines move, and changes it when the statement changes', () => {
    const signatures = (text: string) =>
      proposeCandidates({ file: 'add.js', text }).map(({ signature }) => signature);
    const moved = new Set(signatures(`// one more line\n\n${ADD}`));
    const inStatement = (signature: string) => signature.includes('return a - b; →');
    expect(
      signatures(ADD)
        .filter(inStatement)
        .every((signature) => moved.has(signature)),
    ).toBe(true);
    const changed = signatures(ADD.replace('a - b', 'a - b - 1'));
    expect(changed.filter((signature) => moved.has(signature) && inStatement(signature))).toEqual([]);
  });

  it('gives equal edits of equal statements different signatures', () => {
    const text = 'function f() {\n  n++;\n  g();\n  n++;\n}\n';
    const candidates = proposeCandidates({ file: 'a.js', text, operators: new Set(['update']) });
    expect(candidates.map(({ line }) => line).sort()).toEqual([2, 2, 4, 4]);
    expect(new Set(candidates.map(({ signature }) => signature)).size).toBe(4);
  });

  it('respects the limit and puts favoured operators first', () => {
    const favour = new Map([['swap-operands', 5]]);
    const [first, ...rest] = proposeCandidates({ file: 'add.js', text: ADD, favour, limit: 3 });
    expect(first?.operator).toBe('swap-operands');
    expect(rest).toHaveLength(2);
  });

  it('proposes repairs for files with errors that the parser recovers from', () => {
    const text = 'function f(a) {\n  let m = a;\n  let m = 2;\n  return m - 1;\n}\n';
    expect(proposeCandidates({ file: 'a.js', text }).length).toBeGreaterThan(10);
  });
});
