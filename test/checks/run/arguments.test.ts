import { describe, expect, it } from 'vitest';
import {
  dropOptions,
  dropPositionals,
  hasOption,
  optionValue,
  renderCommand,
} from '../../../src/checks/run/arguments.ts';

describe('dropOptions', () => {
  it.each([
    ['--watch a.js', 'a.js'],
    ['--no-watch a.js', 'a.js'],
    ['--watch=true a.js', 'a.js'],
    ['--coverage.reporter=text --coverage a.js', 'a.js'],
    ['--reporter dot a.js', 'a.js'],
    ['--reporter=dot a.js', 'a.js'],
    ['-w -c x.js', '-c x.js'],
    ['--watchful a.js', '--watchful a.js'],
  ])('%s → %s', (before, after) => {
    const names = { flags: ['watch', 'w', 'coverage'], values: ['reporter'] };
    expect(dropOptions(before.split(' '), names).join(' ')).toBe(after);
  });
});

describe('dropPositionals', () => {
  it.each([
    ['a.js --config x.js b.js', '--config x.js'],
    ['--config=x.js b.js', '--config=x.js'],
    ['--silent b.js', '--silent'],
    ['--unknown b.js', '--unknown b.js'],
  ])('%s → %s', (before, after) => {
    expect(dropPositionals(before.split(' '), ['silent']).join(' ')).toBe(after);
  });
});

describe('hasOption and optionValue', () => {
  it('see both ways of giving a value', () => {
    expect(hasOption(['-p', 'x'], 'p', 'project')).toBe(true);
    expect(hasOption(['x'], 'x')).toBe(false);
    expect(optionValue(['--project=a=b'], 'p', 'project')).toBe('a=b');
    expect(optionValue(['-p', 'x'], 'p', 'project')).toBe('x');
    expect(optionValue(['x'], 'p')).toBeUndefined();
  });
});

describe('renderCommand', () => {
  it('quotes what a shell would take apart', () => {
    expect(renderCommand(['node', 'a b', `it's`, '--x=1', '$HOME'])).toBe(
      `node 'a b' 'it'\\''s' --x=1 '$HOME'`,
    );
  });
});
