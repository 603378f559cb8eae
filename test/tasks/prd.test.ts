import { describe, expect, it } from 'vitest';
import { parsePrd } from '../../src/tasks/prd.ts';

const PRD = `{
  "project": "Shop",
  "branchName": "ralph/shop",
  "userStories": [
    { "id": "US-2", "title": "Second", "priority": 2, "passes": false, "extra": [1,  2] },
    {
      "id": "US-1",
      "title": "First",
      "description": "As a buyer I want a total.",
      "acceptanceCriteria": ["It adds", "Typecheck passes"],
      "priority": 1,
      "passes" : false,
      "notes": "See cart.ts"
    },
    { "id": 3, "title": "Unordered" },
    { "id": "US-0", "title": "Done", "priority": 0, "passes": true }
  ]
}
`;

function tick(text: string, key: string): string {
  return parsePrd(text, 'prd.json')
    .tick(key)
    .toReversed()
    .reduce(
      (all, { offset, length, text: put }) => all.slice(0, offset) + put + all.slice(offset + length),
      text,
    );
}

describe('parsePrd', () => {
  it('sorts stories by priority, those without one last, with their criteria', () => {
    const { items } = parsePrd(PRD, 'prd.json');
    expect(items.map(({ key, done }) => [key, done])).toEqual([
      ['US-0', true],
      ['US-1', false],
      ['US-2', false],
      ['3', false],
    ]);
    expect(items[1]!.text).toMatchSnapshot();
    expect(items[3]!.text).toBe('Unordered');
  });

  it('changes one word for a story that passes, or adds the key', () => {
    expect(tick(PRD, 'US-1')).toBe(PRD.replace('"passes" : false', '"passes" : true'));
    expect(tick(PRD, 'US-2')).toBe(PRD.replace('"passes": false', '"passes": true'));
    expect(tick(PRD, 'US-0')).toBe(PRD);
    expect(tick(PRD, '3')).toBe(PRD.replace('"Unordered" }', '"Unordered", "passes": true }'));
    const windows = PRD.replaceAll('\n', '\r\n');
    expect(tick(windows, 'US-1')).toBe(windows.replace('"passes" : false', '"passes" : true'));
  });

  it.each([
    ['no JSON', '{', /prd\.json is not JSON/],
    ['no stories', '{"stories": []}', /userStories/],
    ['a story without a title', '{"userStories": [{"id": "a"}]}', /\/userStories\/0 .*title/],
    [
      'two stories with one id',
      '{"userStories": [{"id": 1, "title": "a"}, {"id": "1", "title": "b"}]}',
      /two stories with the id "1"/,
    ],
    [
      'passes that is no truth value',
      '{"userStories": [{"title": "a", "passes": "no"}]}',
      /passes must be boolean/,
    ],
  ])('is refused with %s', (_, text, says) => {
    expect(() => parsePrd(text, 'prd.json')).toThrow(says);
  });
});
