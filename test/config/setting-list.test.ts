import { describe, expect, it } from 'vitest';
import { allSettings } from '../../src/config/setting-list.ts';

function parse(key: string, ...texts: string[]): unknown {
  const setting = allSettings().find((one) => one.key === key)!;
  return texts.reduce<unknown>((previous, text) => setting.parse(text, previous), undefined);
}

describe('the texts of settings', () => {
  it.each([
    ['a number', 'maxIterations', ['7'], 7],
    ['a text that is no number, for the schema to refuse', 'maxIterations', ['many'], 'many'],
    ['a word beside numbers', 'omega', ['auto'], 'auto'],
    ['a switch', 'selfTests', ['1'], true],
    ['a switch that is off', 'memory', ['false'], false],
    ['globs with commas, each use one more', 'protect', ['{a,b}/**', 'c'], ['{a,b}/**', 'c']],
    ['names with commas between', 'skip', ['types,lint', 'tests'], ['types', 'lint', 'tests']],
    ['named commands, each use one more', 'checks', ['tests=a=b', 'unit=c'], { tests: 'a=b', unit: 'c' }],
    ['a check without a command, for the schema to refuse', 'checks', ['tests'], { tests: '' }],
    ['weights', 'weights', ['tests=0.5, types=1'], { tests: 0.5, types: 1 }],
  ])('are read as %s', (_, key, texts, value) => {
    expect(parse(key, ...texts)).toEqual(value);
  });

  it('have a variable named after the key', () => {
    const { variable } = allSettings().find(({ key }) => key === 'maxIterations')!;
    expect(variable).toBe('RALPH_MAX_ITERATIONS');
  });
});
