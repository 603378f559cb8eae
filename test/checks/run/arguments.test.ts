import { expect, test } from 'vitest';
import { dropOptions, hasOption, optionValue, renderCommand } from '../../../src/checks/run/arguments.ts';

test.each([
  ['--reporter dot a.js', 'a.js'],
  ['--reporter=dot a.js', 'a.js'],
  ['--no-reporter dot a.js', 'a.js'],
  ['--coverage.reporter=text a.js', 'a.js'],
  ['-r dot -c x.js', '-c x.js'],
  ['--reporters a.js', '--reporters a.js'],
])('dropOptions leaves "%s" as "%s"', (before, after) => {
  const names = ['reporter', 'r', 'coverage'];
  expect(dropOptions(before.split(' '), names).join(' ')).toBe(after);
});

test.each([
  [['-p', 'x'], true],
  [['--project=x'], true],
  [['p', 'x'], false],
])('hasOption finds -p or --project in %j: %s', (args, expected) => {
  expect(hasOption(args, 'p', 'project')).toBe(expected);
});

test.each([
  [['--project=a=b'], 'a=b'],
  [['-p', 'x'], 'x'],
  [['x'], undefined],
])('optionValue reads the project from %j: %s', (args, expected) => {
  expect(optionValue(args, 'p', 'project')).toBe(expected);
});

test('renderCommand quotes words that a shell would split or expand', () => {
  const shown = `node 'a b' 'it'\\''s' --x=1 '$HOME'`;
  expect(renderCommand(['node', 'a b', `it's`, '--x=1', '$HOME'])).toBe(shown);
});
