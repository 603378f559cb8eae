import { describe, expect, it } from 'vitest';
import type { Behaviours } from '../../../src/repair/choose/behaviours.ts';
import type { Candidate } from '../../../src/repair/syntax/edit.ts';
import { mutationsAmongChanges, rankByMerit, type Plausible } from '../../../src/repair/choose/merit.ts';

function candidate(replacement: string): Candidate {
  const edit = { file: 'a.js', start: 0, end: 1, replacement };
  return { edits: [edit], operator: 'test', line: 1, signature: replacement, prior: 1 };
}

const TESTS = { fixed: 1, passing: 0 };

describe('rankByMerit', () => {
  const [a, b, c] = [candidate('a'), candidate('b'), candidate('c')];
  const plausible = (scores: readonly number[]): Plausible[] =>
    scores.map((score, index) => ({ candidate: [a, b, c][index]!, score, isStrange: false, unread: 0 }));
  const best = (entries: readonly Plausible[], behaviours: Behaviours): Candidate | undefined =>
    rankByMerit(entries, behaviours, TESTS).candidates[0];
  const nothing: Behaviours = { inputs: [], original: [], of: new Map(), examples: new Map() };

  it('orders by score if nothing could be compared', () => {
    expect(rankByMerit(plausible([0.2, 0.9, 0.5]), nothing, TESTS).candidates).toEqual([b, c, a]);
  });

  it('prefers behaviour that several edits have in common', () => {
    const of = new Map([
      [a, ['1', '2']],
      [b, ['3', '4']],
      [c, ['3', '4']],
    ]);
    expect(best(plausible([0.5, 0.45, 0.4]), { ...nothing, original: ['0', '0'], of })).toBe(b);
    const apart = new Map([...of, [c, ['5', '6']]]);
    expect(best(plausible([0.5, 0.45, 0.4]), { ...nothing, original: ['0', '0'], of: apart })).toBe(a);
  });

  it('prefers behaviour that is closer to the unchanged code', () => {
    const of = new Map([
      [a, ['x', 'y']],
      [b, ['1', 'y']],
    ]);
    const two = plausible([0.5, 0.5]).slice(0, 2);
    expect(best(two, { ...nothing, original: ['1', '2'], of })).toBe(b);
    expect(best(two, { ...nothing, original: ['x', '2'], of })).toBe(a);
  });

  it('prefers an edit that handles a missing value to one that only avoids it', () => {
    const [first, second] = plausible([0.9, 0.5]);
    expect(best([first!, second!], nothing)).toBe(a);
    expect(best([{ ...first!, ignoresCrash: true }, second!], nothing)).toBe(b);
  });

  it('prefers edits under which the examples in comments hold', () => {
    const two = plausible([0.5, 0.4]).slice(0, 2);
    const examples = new Map([
      [a, 0.5],
      [b, 1],
    ]);
    expect(best(two, { ...nothing, examples })).toBe(b);
    expect(best(two, nothing)).toBe(a);
  });

  it('prefers edits that do not change their arguments, unless the unchanged code does', () => {
    const two = plausible([0.5, 0.4]).slice(0, 2);
    const mutates = '[1] and changes its arguments to [[1]]';
    const of = new Map([
      [a, [mutates]],
      [b, ['[1]']],
    ]);
    expect(best(two, { ...nothing, original: ['[2]'], of })).toBe(b);
    expect(best(two, { ...nothing, original: ['[2] and changes its arguments to [[2]]'], of })).toBe(a);
  });

  it('puts an edit that inserts a value from nowhere, or leaves a variable unread, behind the others', () => {
    const [first, ...rest] = plausible([0.6, 0.4, 0.1]);
    expect(best([{ ...first!, isStrange: true }, ...rest], nothing)).toBe(b);
    expect(best([{ ...first!, unread: 1 }, ...rest], nothing)).toBe(b);
    expect(best([first!, ...rest], nothing)).toBe(a);
  });

  it('gives a behaviour the share of the weight that supports it', () => {
    const of = new Map([
      [a, ['1', '2']],
      [b, ['1', '2']],
      [c, ['3', '4']],
    ]);
    const { classes } = rankByMerit(
      plausible([0.5, 0.5, 0.5]),
      { ...nothing, original: ['0', '0'], of },
      TESTS,
    );
    expect(classes.map(({ members }) => members.length)).toEqual([2, 1]);
    expect(classes[0]!.share).toBeGreaterThan(0.6);
    expect(classes[0]!.share).toBeLessThan(0.7);
    expect(classes[0]!.share + classes[1]!.share).toBeLessThan(1);
  });

  it('is less sure of an unnatural edit, even if there is no other', () => {
    const shareOf = (score: number) =>
      rankByMerit(plausible([score]).slice(0, 1), nothing, TESTS).classes[0]!.share;
    expect(shareOf(0.02)).toBeLessThan(shareOf(0.8));
  });

  it('is less sure where many tests passed before', () => {
    const shareAt = (passing: number) =>
      rankByMerit(plausible([0.1]).slice(0, 1), nothing, { fixed: 1, passing }).classes[0]!.share;
    expect(shareAt(6)).toBe(shareAt(0));
    expect(shareAt(12)).toBeLessThan(shareAt(6));
    expect(shareAt(60)).toBeLessThan(0.4);
  });

  it('takes edits for different ones if no compared input shows a difference to the unchanged code', () => {
    const of = new Map([a, b, c].map((it) => [it, ['1', '2']]));
    const like = (original: readonly string[]) =>
      rankByMerit(plausible([0.5, 0.5, 0.5]), { ...nothing, original, of }, TESTS).classes;
    expect(like(['0', '2'])).toHaveLength(1);
    expect(like(['1', '2'])).toHaveLength(3);
    expect(like(['1', '2'])[0]!.share).toBeLessThan(0.4);
  });

  it('does not let edits support each other that differ on some of very many inputs', () => {
    const inputs = Array.from({ length: 400 }, (_, index) => String(index));
    const differing = (from: number) => inputs.map((text, at) => (at >= from && at < from + 5 ? 'x' : text));
    const of = new Map([a, b, c].map((it, index) => [it, differing(index * 10)]));
    const { classes } = rankByMerit(plausible([0.5, 0.5, 0.5]), { ...nothing, original: inputs, of }, TESTS);
    expect(classes).toHaveLength(3);
    expect(classes[0]!.share).toBeLessThan(0.4);
  });

  it('puts an edit that takes statements from passing tests behind the others', () => {
    const [first, second] = plausible([0.9, 0.5]);
    expect(best([{ ...first!, losesPaths: true }, second!], nothing)).toBe(b);
  });
});

describe('mutationsAmongChanges', () => {
  const mutates = '[1] and changes its arguments to [[1]]';

  it('counts the changed results that are changes of arguments', () => {
    expect(mutationsAmongChanges([mutates, '2', '3'], ['[1]', '2', '4'])).toBe(0.5);
    expect(mutationsAmongChanges([mutates, '2'], ['[1]', '2'])).toBe(1);
  });

  it('is 0 if nothing changed, nothing was compared, or the unchanged code changes its arguments too', () => {
    expect(mutationsAmongChanges(['1'], ['1'])).toBe(0);
    expect(mutationsAmongChanges(undefined, [])).toBe(0);
    expect(mutationsAmongChanges([mutates], ['[2] and changes its arguments to [[2]]'])).toBe(0);
  });
});
