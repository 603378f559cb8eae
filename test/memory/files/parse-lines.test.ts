import { expect, it } from 'vitest';
import { createLineParser } from '../../../src/memory/files/parse-lines.ts';

function read(...contents: readonly (readonly [name: string, text: string])[]): {
  readonly values: string[][];
  readonly parsed: string[];
} {
  const parseLines = createLineParser<string>();
  const parsed: string[] = [];
  const parse = (line: string): string => {
    parsed.push(line);
    return line.toUpperCase();
  };
  const values = contents.map(([name, text]) => parseLines(name, Buffer.from(text), parse));
  return { values, parsed };
}

it('parses only the lines that a file has got since', () => {
  const { values, parsed } = read(['a.jsonl', 'a\nb\n'], ['a.jsonl', 'a\nb\n'], ['a.jsonl', 'a\nb\nc\n']);
  expect(values.at(-1)).toEqual(['A', 'B', 'C']);
  expect(parsed).toEqual(['a', 'b', 'c']);
});

it('parses a last line without a line break each time, and again when it is longer', () => {
  const { values, parsed } = read(['a.jsonl', 'a\nb'], ['a.jsonl', 'a\nbcd\n']);
  expect(values).toEqual([
    ['A', 'B'],
    ['A', 'BCD'],
  ]);
  expect(parsed).toEqual(['a', 'b', 'bcd']);
});

it.each([
  ['changed in one byte', 'x\nb\nc\n', ['X', 'B', 'C']],
  ['shorter', 'a\n', ['A']],
  ['empty', '', []],
])('parses all of a file that is %s', (_, text, expected) => {
  expect(read(['a.jsonl', 'a\nb\n'], ['a.jsonl', text]).values.at(-1)).toEqual(expected);
});

it('keeps files apart', () => {
  expect(read(['a.jsonl', 'a\n'], ['b.jsonl', 'a\nb\n'], ['a.jsonl', 'a\nc\n']).values).toEqual([
    ['A'],
    ['A', 'B'],
    ['A', 'C'],
  ]);
});
