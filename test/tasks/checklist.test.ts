import { describe, expect, it } from 'vitest';
import { parseChecklist } from '../../src/tasks/checklist.ts';

const LIST = [
  '# Shop',
  '',
  'Some text with [ ] in it.',
  '',
  '- [ ] Round the total',
  '  to cents, like this:',
  '',
  '  ```js',
  '  - [ ] this is code',
  '  ```',
  '',
  '  More words.',
  '- plain item',
  '* [x] Done already',
  '1. [ ] Third, numbered',
  '',
  '- [ ] Cart',
  '  keeps its lines',
  '  - [ ] add a line',
  '    - a detail, no task',
  '  - [X] remove a line',
  '',
  '> - [ ] quoted one',
  '',
  '- [ ]',
  '- [] nothing',
  '',
].join('\n');

describe('parseChecklist', () => {
  it('lists items in order, without code, plain items and empty boxes, and with their headings', () => {
    expect(parseChecklist(LIST).items.map(({ title, done }) => [title, done])).toEqual([
      ['Round the total', false],
      ['Done already', true],
      ['Third, numbered', false],
      ['add a line', false],
      ['remove a line', true],
      ['quoted one', false],
    ]);
    expect(
      parseChecklist(LIST)
        .items.map(({ text }) => text)
        .slice(0, 4),
    ).toEqual([
      'Round the total\nto cents, like this:\n\n```js\n- [ ] this is code\n```\n\nMore words.',
      'Done already',
      'Third, numbered',
      'Cart\nkeeps its lines\n\nadd a line\n  - a detail, no task'.replace('\n  - ', '\n- '),
    ]);
  });

  it('ticks a box by one character, and its heading with the last box below it', () => {
    const tick = (text: string, title: string): string => {
      const file = parseChecklist(text);
      const { key } = file.items.find((item) => item.title === title)!;
      return [...file.tick(key)]
        .sort((a, b) => b.offset - a.offset)
        .reduce(
          (all, edit) => all.slice(0, edit.offset) + edit.text + all.slice(edit.offset + edit.length),
          text,
        );
    };
    expect(tick(LIST, 'Round the total')).toBe(LIST.replace('- [ ] Round', '- [x] Round'));
    expect(tick(LIST, 'Third, numbered')).toBe(LIST.replace('1. [ ]', '1. [x]'));
    expect(tick(LIST, 'add a line')).toBe(
      LIST.replace('- [ ] add', '- [x] add').replace('- [ ] Cart', '- [x] Cart'),
    );
    expect(tick(LIST, 'Done already')).toBe(LIST);
    expect(parseChecklist(LIST).tick('nosuch')).toEqual([]);
  });

  it.each([
    ['CRLF', '- [ ] one\r\n  more\r\n- [ ] two\r\n', '- [ ] one\r\n  more\r\n- [x] two\r\n'],
    ['tabs', '-\t[ ]\tone\n-\t[ ]\ttwo\n', '-\t[ ]\tone\n-\t[x]\ttwo\n'],
    ['other scripts and emoji', '- [ ] 👩‍💻 é\n- [ ] two\n', '- [ ] 👩‍💻 é\n- [x] two\n'],
    ['no line end at the end', '- [ ] one\n- [ ] two', '- [ ] one\n- [x] two'],
    ['an old Mac’s line ends', '- [ ] one\r- [ ] two', '- [ ] one\r- [x] two'],
  ])('ticks the right box with %s', (_, text, after) => {
    const file = parseChecklist(text);
    const item = file.items.find(({ title }) => title === 'two')!;
    const [edit] = file.tick(item.key);
    expect(text.slice(0, edit!.offset) + edit!.text + text.slice(edit!.offset + 1)).toBe(after);
  });

  it('distinguishes equal texts, and keeps the key of an item when other items change', () => {
    const twice = parseChecklist('- [ ] same\n- [ ] same\n');
    expect(new Set(twice.items.map(({ key }) => key)).size).toBe(2);
    expect(twice.tick(twice.items[1]!.key)[0]!.offset).toBe(14);
    const [before] = parseChecklist('- [ ] a\n- [ ] b\n').items.slice(1);
    expect(parseChecklist('# New\n\n- [ ] z\n- [x] a\n\ntext\n\n- [ ] b\n').items.at(-1)!.key).toBe(
      before!.key,
    );
  });
});
