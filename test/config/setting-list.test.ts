import { describe, expect, it } from 'vitest';
import { allSettings } from '../../src/config/setting-list.ts';

function parse(key: string, ...texts: string[]): unknown {
  const setting = allSettings().find((one) => one.key === key)!;
  return texts.reduce<unknown>((previous, text) => setting.parse(text, previous), undefined);
}

describe('settings from text', () => {
  it.each([
    ['a number', 'maxIterations', ['7'], 7],
    ['text for a number, for the schema to refuse', 'maxIterations', ['many'], 'many'],
    ['a word instead of a number', 'omega', ['auto'], 'auto'],
    ['a boolean', 'applyUnproven', ['1'], true],
    ['a false boolean', 'memory', ['false'], false],
    ['repeated globs that contain commas', 'protect', ['{a,b}/**', 'c'], ['{a,b}/**', 'c']],
    ['names separated by commas', 'skip', ['types,lint', 'tests'], ['types', 'lint', 'tests']],
    ['repeated named commands', 'checks', ['tests=a=b', 'unit=c'], { tests: 'a=b', unit: 'c' }],
    ['a check without a command, for the schema to refuse', 'checks', ['tests'], { tests: '' }],
    ['weights', 'weights', ['tests=0.5, types=1'], { tests: 0.5, types: 1 }],
  ])('parse %s', (_, key, texts, value) => {
    expect(parse(key, ...texts)).toEqual(value);
  });

  it('have a variable named after the key', () => {
    const { variable } = allSettings().find(({ key }) => key === 'maxIterations')!;
    expect(variable).toBe('RALPH_MAX_ITERATIONS');
  });
});
