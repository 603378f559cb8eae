import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openResults } from '../../../bench/datasets/results-file.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const KEY = { benchmark: 'sample', budget: 5 };
let file: string;

beforeEach(() => {
  file = join(temporaryFolder(), 'results.jsonl');
});

it('gives the results of an earlier run, without a line that a crash cut off', () => {
  const first = openResults<number>(file, KEY);
  first.add('a', 1);
  first.add('b', 2);
  appendFileSync(file, '{"id":"c","res');
  const second = openResults<number>(file, KEY);
  expect([...second.done]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  second.add('c', 3);
  expect([...openResults<number>(file, KEY).done.keys()]).toEqual(['a', 'b', 'c']);
});

it('stores nothing without a file, and creates none before the first result', () => {
  openResults<number>(undefined, KEY).add('a', 1);
  openResults<number>(file, KEY);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

it.each([
  ['{"run":{"benchmark":"sample","budget":9}}\n', /another run: budget was 9 and is 5/],
  ['{"run":{"benchmark":"sample"}}\n', /another run: budget was absent and is 5/],
  ['{"id":"a","result":1}\n', /it is not a file of results/],
  ['problems\n', /:1: it must be a JSON object/],
  ['{"run":{"benchmark":"sample","budget":5}}\n[]\n', /:2: it must be \{ "id", "result" \}/],
])('refuses %j and leaves it as it is', (text, message) => {
  writeFileSync(file, text);
  expect(() => openResults<number>(file, KEY)).toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
