import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/memory/analysis/analyze.ts';
import { fitId, fitLine, renderBar, renderSparkline } from '../../../src/memory/analysis/plots.ts';
import { renderAnalysis } from '../../../src/memory/analysis/render.ts';
import type { LoopHistory } from '../../../src/memory/analysis/history.ts';
import { validate } from '../../../src/schema/validate.ts';
import { attempt, loop } from './loops.ts';

describe('renderBar', () => {
  it.each([
    [0, '        ', '........'],
    [0.5, '████    ', '####....'],
    [1, '████████', '########'],
    [0.53125, '████▎   ', '####....'],
    [-3, '        ', '........'],
    [7, '████████', '########'],
  ])('draws %f as "%s" in blocks and "%s" in ASCII', (share, blocks, plain) => {
    expect(renderBar(share, 8, 'blocks')).toBe(blocks);
    expect(renderBar(share, 8, 'plain')).toBe(plain);
  });
});

describe('renderSparkline', () => {
  it('draws one character per value', () => {
    expect(renderSparkline([0, 0.5, 0.99, 1, 2], 'blocks')).toBe('▁▅███');
    expect(renderSparkline([0, 0.5, 0.99, 1, -1], 'plain')).toBe('05990');
  });
});

describe('fitLine and fitId', () => {
  it('cut a long line between characters, with an ellipsis', () => {
    expect(fitLine('abcdef', 6)).toBe('abcdef');
    expect(fitLine('abcdefg', 6)).toBe('abcde…');
    expect(fitLine('😀😀😀', 3)).toBe('😀…');
  });

  it('measure the width in terminal columns', () => {
    expect(fitLine('日本語のテスト', 14)).toBe('日本語のテスト');
    expect(fitLine('日本語のテスト', 7)).toBe('日本語…');
  });

  it('keep the end of an id, which distinguishes it', () => {
    expect(fitId('ralph-make-every-failing-check-pass-20261122-thqrtr', 21)).toBe('ralph-make…122-thqrtr');
    expect(fitId('ralph-short', 21)).toBe('ralph-short');
    expect(fitId('ralph-make-every-failing-check-pass-20261122-thqrtr', -5)).toHaveLength(8);
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

describe('analyze and renderAnalysis', () => {
  it('return a value that satisfies the schema, with and without loops', () => {
    for (const loops of [
      many,
      [],
      [loop([0], { baseline: null, status: null, endedAt: null, memory: null })],
    ]) {
      const analysis = analyze({ history: { loops, leftOut: [] }, lessons: [] });
      expect(validate('analysis', JSON.parse(JSON.stringify(analysis)))).toMatchObject({ ok: true });
    }
  });

  it('restrict the figures to one loop but compare all loops', () => {
    const analysis = analyze({ history: { loops: many, leftOut: [] }, lessons: [], loopId: 'ralph-4' });
    expect(analysis.loops.map(({ loop_id }) => loop_id)).toEqual(['ralph-4']);
    expect(analysis.memory.with.success.n).toBe(15);
  });

  it('print lines within the width, in ASCII except for dashes, arrows and signs', () => {
    const analysis = analyze({
      history: { loops: many, leftOut: [{ path: 'a\u001b[31m.json', problem: 'is damaged' }] },
      lessons: [],
    });
    const lines = renderAnalysis(analysis, look);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(60);
    expect(lines.join('')).not.toMatch(/\p{Cc}|[▁-█]/u);
    expect(lines).toContain('Confidence and improvement');
    expect(lines.join('\n')).toContain('15 earlier loops not shown');
    expect(renderAnalysis(analysis, { ...look, style: 'blocks' }).join('\n')).toMatch(/[▁-█]/);
  });

  it('print the status and id of each loop within 80 columns for ids of any length', () => {
    const task = 'ralph-make-every-failing-check-pass-20261122-';
    const loops = ['thqrtr', 'pq7n7r'].map((end, index) =>
      loop([0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, index], {
        ...{ id: task + end, memory: index === 0, startedAt: index },
      }),
    );
    const analysis = analyze({ history: { loops, leftOut: [] }, lessons: [] });
    const lines = renderAnalysis(analysis, { ...look, width: 80 });
    expect(lines.filter((line) => line.includes('→'))).toEqual([
      expect.stringMatching(/^ {2}\d{10} {2}0\.20→0\.00 {2}exhausted {15}ralph-\S+…\S+-thqrtr$/),
      expect.stringMatching(/^ {2}\d{10} {2}0\.20→1\.00 {2}passed, without memory {2}ralph-\S+…\S+-pq7n7r$/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/passed {2}attempt 10 of ralph-\S+-pq7n7r$/));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('print how many breakthroughs and attempts are not shown', () => {
    const rewards = Array.from({ length: 25 }, (_, index) => index / 100);
    const loops = Array.from({ length: 30 }, (_, index) => loop([0.1, 0.5, 1], { id: `ralph-${index}` }));
    const analysis = analyze({ history: { loops: [...loops, loop(rewards)], leftOut: [] }, lessons: [] });
    expect([analysis.breakthroughs.length, analysis.breakthrough_count]).toEqual([20, 60]);
    const lines = renderAnalysis(analysis, look);
    expect(lines).toContain('  55 others not shown');
    expect(lines).toContain('  5 later attempts not shown');
  });

  it('mark small samples as too few, and leave out empty sections', () => {
    const text = renderAnalysis(analyze({ history: { loops: many.slice(0, 4), leftOut: [] }, lessons: [] }), {
      ...look,
      width: 80,
    }).join('\n');
    expect(text).toContain('4 reflections followed by an attempt: too few for a correlation');
    expect(text).toContain('too few loops to compare');
    expect(text).not.toContain('Lessons');
    expect(renderAnalysis(analyze({ history: { loops: [], leftOut: [] }, lessons: [] }), look)).toEqual([
      'Loops',
      '  No loop has run here yet.',
    ]);
  });
});
