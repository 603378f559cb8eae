import { describe, expect, it } from 'vitest';
import { factorsOfStatements, lineFactors, withFrames } from '../../../src/repair/localise/line-factors.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';
import { instrumentForTrace } from '../../../src/repair/localise/trace.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';

const TEXT = `export function total(items) {
  const net = items
    .map(({ price }) => price)
    .reduce((sum, price) => sum + price, 0);
  return net;
}
`;

function parsed(): ParsedSource {
  const source = parseSource('src/total.js', TEXT);
  if ('problem' in source) throw new Error(source.problem);
  return source;
}

/** Factors by the first line of the statement that they apply to. */
function factorsByText(lines: ReadonlyMap<number, number>): Record<string, number> {
  const { statements } = instrumentForTrace(parsed(), 0);
  const factors = factorsOfStatements(statements, [parsed()], new Map([['src/total.js', lines]]));
  return Object.fromEntries(
    [...factors].map(([id, factor]) => {
      const { start, end } = statements.find((statement) => statement.id === id)!;
      return [TEXT.slice(start, end).split('\n')[0]!, factor];
    }),
  );
}

function diagnostic(check: string, severity: Diagnostic['severity'], line: number): Diagnostic {
  return { type: 'lint_error', message: 'no', severity, check, fingerprint: 'f', file: 'src/a.ts', line };
}

function contextWith(diagnostics: readonly Diagnostic[]): AttemptContext {
  const checks = ['tests', 'types', 'lint'].map((name) => ({ name, kind: name }));
  return { evaluation: { diagnostics }, project: { checks } } as unknown as AttemptContext;
}

describe('line factors', () => {
  it('apply to the statements that begin on a line, otherwise to the smallest one around it', () => {
    expect(factorsByText(new Map([[5, 1.5]]))).toEqual({ 'return net;': 1.5 });
    expect(factorsByText(new Map([[3, 1.5]]))).toEqual({ price: 1.5 });
    expect(factorsByText(new Map([[1, 1.5]]))).toEqual({});
    const broken = TEXT.replace('.map(({ price }) => price)', '.flat()').replace(
      '=> sum + price',
      '=>\n sum',
    );
    const source = parseSource('src/total.js', broken);
    if ('problem' in source) throw new Error(source.problem);
    const { statements } = instrumentForTrace(source, 0);
    const factors = factorsOfStatements(
      statements,
      [source],
      new Map([['src/total.js', new Map([[3, 1.5]])]]),
    );
    expect([...factors.keys()].map((id) => statements[id]!.line)).toEqual([2]);
  });

  it('multiply for type errors, lint errors, recent changes and stack frames on one line', () => {
    const context = contextWith([
      diagnostic('types', 'error', 3),
      diagnostic('types', 'error', 3),
      diagnostic('lint', 'error', 4),
      diagnostic('lint', 'warning', 5),
      diagnostic('tests', 'error', 6),
    ]);
    const known = lineFactors(context, new Map([['src/a.ts', [{ first: 4, last: 5 }]]]));
    expect([...known.get('src/a.ts')!]).toEqual([
      [3, 1.25],
      [4, 1.25 * 1.25],
      [5, 1.25],
    ]);
    const frames = [{ ...diagnostic('tests', 'error', 9), frames: [{ file: 'src/a.ts', line: 3 }] }];
    expect(withFrames(known, frames).get('src/a.ts')!.get(3)).toBe(1.25 * 1.5);
    expect(known.get('src/a.ts')!.get(3)).toBe(1.25);
  });

  it('ignore changes of a whole file', () => {
    const recent = new Map([['src/a.ts', [{ first: 1, last: 5000 }]]]);
    expect(lineFactors(contextWith([]), recent)).toEqual(new Map());
  });
});
