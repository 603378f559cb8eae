import { describe, expect, it } from 'vitest';
import { parseChecklist } from '../../src/tasks/checklist.ts';
import { parsePrd } from '../../src/tasks/prd.ts';
import { statedCriteria } from '../../src/tasks/written-criteria.ts';

describe('criteria of a checklist item', () => {
  it('are commands and test files in backticks, in the item or below it', () => {
    const text =
      '- [ ] Add a `slugify` function `accept: node check.js --all`\n  - `accept-test: test/slug.test.js`\n- [ ] Another\n';
    const [first, second] = parseChecklist(text).items;
    expect(first!.criteria).toEqual([
      { text: '`node check.js --all` succeeds', command: 'node check.js --all' },
      { text: 'The tests of test/slug.test.js pass', test: 'test/slug.test.js' },
    ]);
    expect(second!.criteria).toEqual([]);
  });
});

describe('criteria of a story', () => {
  it('are sentences, or objects with a command or a test', () => {
    const acceptanceCriteria = [
      'is fast',
      { text: 'prints JSON', command: 'node cli.js --json' },
      { text: 'joins words', test: 'test/slug.test.js' },
    ];
    const [story] = parsePrd(
      JSON.stringify({ userStories: [{ title: 'a', acceptanceCriteria }] }),
      'prd.json',
    ).items;
    expect(story!.criteria).toEqual([{ text: 'is fast' }, ...acceptanceCriteria.slice(1)]);
    for (const text of ['is fast', 'prints JSON', 'joins words']) expect(story!.text).toContain(`- ${text}`);
  });

  it('are refused without a text', () => {
    const story = { title: 'a', acceptanceCriteria: [{ command: 'true' }] };
    expect(() => parsePrd(JSON.stringify({ userStories: [story] }), 'prd.json')).toThrow(
      /is not a list of user stories/,
    );
  });
});

describe('criteria of an issue', () => {
  it.each([
    ['a list', 'Text\n\n## Acceptance criteria\n\n- one\n- [ ] two\n\n## More\n- three\n', ['one', 'two']],
    ['a fenced block', '**Acceptance Criteria**\n```\none\ntwo\n```\nthree\n', ['one', 'two']],
    ['no heading', '- one\n', []],
  ])('are read from %s', (_name, body, sentences) => {
    expect(statedCriteria(body)).toEqual(sentences.map((text) => ({ text })));
  });

  it('never name a command to run', () => {
    const found = statedCriteria(
      '### Acceptance criteria\n- `accept: rm -rf /`\n- `accept-test: test/a.test.js`\n',
    );
    expect(found).toHaveLength(2);
    for (const criterion of found) expect(Object.keys(criterion)).toEqual(['text']);
  });
});
