import { describe, expect, it } from 'vitest';
import {
  parseProblems,
  readProblems,
  selectProblems,
} from '../../../../bench/datasets/humanevalfix/problems.ts';
import { problemOf, recordOf } from './sample.ts';

const lines = (...records: unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');

describe('parseProblems', () => {
  it('reads one problem per line and skips blank lines', () => {
    const text = `${lines(recordOf())}\n\n${lines(recordOf({ task_id: 'Sample/1' }))}\n`;
    expect(parseProblems('p.jsonl', text)).toEqual([problemOf(), problemOf({ taskId: 'Sample/1' })]);
  });

  it('accepts problems without example tests and docstring', () => {
    const [problem] = parseProblems('p.jsonl', lines(recordOf({ example_test: null, docstring: undefined })));
    expect(problem).toMatchObject({ exampleTest: '', docstring: '' });
  });

  it.each([
    ['{"task_id": ', 'p.jsonl:1: not JSON'],
    ['[1]', 'p.jsonl:1: it must be a JSON object'],
    [lines(recordOf(), recordOf({ task_id: 'b', test: undefined })), 'p.jsonl:2: field "test" is missing'],
    [lines(recordOf({ declaration: 7 })), 'p.jsonl:1: field "declaration" must be a string'],
    [lines(recordOf({ buggy_solution: '  ' })), 'p.jsonl:1: field "buggy_solution" is empty'],
    [lines(recordOf({ entry_point: 'a b' })), 'p.jsonl:1: field "entry_point" is "a b"'],
    [lines(recordOf(), recordOf()), 'p.jsonl:2: task_id "Sample/0" is already used on line 1'],
    ['\n', 'p.jsonl has no problems'],
  ])('rejects %j, naming file, line and field', (text, message) => {
    expect(() => parseProblems('p.jsonl', text)).toThrow(message);
  });
});

it('readProblems throws a usage error for a missing file', async () => {
  await expect(readProblems('/no/such.jsonl')).rejects.toMatchObject({ exitCode: 2 });
});

describe('selectProblems', () => {
  const problems = [problemOf({ taskId: 'a' }), problemOf({ taskId: 'b' }), problemOf({ taskId: 'c' })];

  it('keeps the order of the file', () => {
    expect(selectProblems(problems, ['c', 'a']).map(({ taskId }) => taskId)).toEqual(['a', 'c']);
    expect(selectProblems(problems, undefined)).toHaveLength(3);
  });

  it('rejects an unknown id', () => {
    expect(() => selectProblems(problems, ['a', 'x'])).toThrow('--only x');
  });
});
