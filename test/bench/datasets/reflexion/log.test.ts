import { describe, expect, it } from 'vitest';
import { parseProblem } from '../../../../bench/datasets/reflexion/log.ts';
import { programOf, startProgram } from '../../../../bench/datasets/reflexion/program.ts';
import { lineOf, RIGHT, WRONG } from './sample.ts';

const parse = (over: Record<string, unknown> = {}) =>
  parseProblem({ place: 'log.jsonl:7', record: lineOf(over) });

describe('parseProblem', () => {
  it('reads a problem of a simple run', () => {
    expect(parse()).toMatchObject({ id: 'Sample/add', attempts: [RIGHT], reflections: [], isSolved: true });
  });

  it('takes the name where there is no task_id', () => {
    expect(parse({ task_id: undefined, name: 'mbpp_7_add', language: 'py' }).id).toBe('mbpp_7_add');
  });

  it('knows that answers before the last one are missing where the log has reflections only', () => {
    expect(parse({ reflections: ['wrong sign', 'still wrong'] }).attempts).toEqual([
      undefined,
      undefined,
      RIGHT,
    ]);
  });

  it('reads every answer where the log has them', () => {
    expect(parse({ reflections: ['wrong sign'], implementations: [WRONG, RIGHT] }).attempts).toEqual([
      WRONG,
      RIGHT,
    ]);
  });

  it('counts a problem without is_solved as not solved', () => {
    expect(parse({ is_solved: undefined }).isSolved).toBe(false);
  });

  it.each([
    [{ language: 'rs' }, /log\.jsonl:7: field "language" is "rs": only logs of Python/],
    [{ entry_point: 'a b' }, /field "entry_point" is "a b": it must be a function's name/],
    [{ test: undefined }, /field "test" is missing/],
    [{ test: ' ' }, /field "test" is empty/],
    [{ solution: ['assert True'] }, /field "solution" must be a string/],
    [{ reflections: 'wrong' }, /field "reflections" must be a list of strings/],
    [{ is_solved: 'yes' }, /field "is_solved" must be true or false/],
  ])('refuses %j', (over, message) => {
    expect(() => parse(over)).toThrow(message);
  });
});

describe('programs', () => {
  it('completes a body by its prompt, and leaves a whole function alone', () => {
    const whole = 'import math\n\ndef add(a, b):\n    return a + b';
    expect(programOf(parse(), RIGHT)).toMatch(/^def add.*\n.*\n {4}return a \+ b$/);
    expect(programOf(parse(), whole)).toBe(whole);
    expect(programOf(parse(), '    def address(a): return a\n    return a')).toMatch(/^def add\(a, b\)/);
  });

  it('starts from a function without a body', () => {
    expect(startProgram(parse())).toMatch(/numbers\."""\n {4}raise NotImplementedError/);
  });
});
