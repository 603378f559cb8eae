import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/memory/analysis/analyze.ts';
import { fitLine, renderBar, renderSparkline } from '../../../src/memory/analysis/plots.ts';
import { renderAnalysis } from '../../../src/memory/analysis/render.ts';
import type { LoopHistory } from '../../../src/memory/analysis/history.ts';
import { validate } from '../../../src/schema/validate.ts';
import { attempt, loop } from './loops.ts';

describe('a bar', () => {
  it.each([
    [0, '        ', '........'],
    [0.5, '████    ', '####....'],
    [1, '████████', '########'],
    [0.53125, '████▎   ', '####....'],
    [-3, '        ', '........'],
    [7, '████████', '########'],
  ])('of %f is "%s", and plainly "%s"', (share, blocks, plain) => {
    expect(renderBar(share, 8, 'blocks')).toBe(blocks);
    expect(renderBar(share, 8, 'plain')).toBe(plain);
  });
});

describe('a sparkline', () => {
  it('has a character for each value', () => {
    expect(renderSparkline([0, 0.5, 0.99, 1, 2], 'blocks')).toBe('▁▅███');
    expect(renderSparkline([0, 0.5, 0.99, 1, -1], 'plain')).toBe('05990');
  });
});

describe('a line', () => {
  it('is cut with an ellipsis where it is too long, between characters', () => {
    expect(fitLine('abcdef', 6)).toBe('abcdef');
    expect(fitLine('abcdefg', 6)).toBe('abcde…');
    expect(fitLine('😀😀😀', 2)).toBe('😀…');
  });
});

const many: LoopHistory[] = Array.from({ length: 30 }, (_, index) =>
  loop(index % 3 === 0 ? [0.2, 0.5, 0.4] : [0.2, 0.6, 1], {
    ...{ id: `ralph-${index}`, startedAt: index, memory: index % 2 === 0, failures: [`f${index % 20}`] },
    task: 'x'.repeat(300),
    attempts: [
      attempt(1, index % 3 === 0 ? 0.5 : 0.6, {
        confidence: 0.5 + (index % 5) / 10,
        category: 'logic_error',
        tried: index,
      }),
      attempt(2, index % 3 === 0 ? 0.4 : 1, { tried: 3 }),
    ],
  }),
);
const look = { width: 60, style: 'plain', strong: (text: string) => text } as const;

describe('an analysis', () => {
  it('holds by its schema, with loops and without', () => {
    for (const loops of [
      many,
      [],
      [loop([0], { baseline: null, status: null, endedAt: null, memory: null })],
    ]) {
      const analysis = analyze({ history: { loops, leftOut: [] }, lessons: [] });
      expect(validate('analysis', JSON.parse(JSON.stringify(analysis)))).toMatchObject({ ok: true });
    }
  });

  it('is of one loop where one is asked for, and compares all the same', () => {
    const analysis = analyze({ history: { loops: many, leftOut: [] }, lessons: [], loopId: 'ralph-4' });
    expect(analysis.loops.map(({ loop_id }) => loop_id)).toEqual(['ralph-4']);
    expect(analysis.memory.with.success.n).toBe(15);
  });

  it('is text no wider than asked for, plain ASCII but for dashes, arrows and signs', () => {
    const analysis = analyze({
      history: { loops: many, leftOut: [{ path: 'a\u001b[31m.json', problem: 'is damaged' }] },
      lessons: [],
    });
    const lines = renderAnalysis(analysis, look);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(60);
    expect(lines.join('')).not.toMatch(/\p{Cc}|[▁-█]/u);
    expect(lines).toContain('Confidence against improvement');
    expect(lines.join('\n')).toContain('15 earlier loops not shown');
    expect(renderAnalysis(analysis, { ...look, style: 'blocks' }).join('\n')).toMatch(/[▁-█]/);
  });

  it('says plainly what is too few, and nothing of what there is none of', () => {
    const text = renderAnalysis(analyze({ history: { loops: many.slice(0, 4), leftOut: [] }, lessons: [] }), {
      ...look,
      width: 80,
    }).join('\n');
    expect(text).toContain('4 reflections followed by an attempt: too few to say anything');
    expect(text).toContain('too few loops to compare');
    expect(text).not.toContain('Lessons');
    expect(renderAnalysis(analyze({ history: { loops: [], leftOut: [] }, lessons: [] }), look)).toEqual([
      'Loops',
      '  No loop has run here yet.',
    ]);
  });
});
