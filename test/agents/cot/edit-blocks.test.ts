import { describe, expect, it } from 'vitest';
import { block, parse } from './answers.ts';

const CART = 'src/cart.ts';
const TEXT = 'let sum = 0;\nsum += price;\nreturn sum;\n';
const BLOCK = block('sum += price;', 'sum += price * count;');
const EDIT = { oldText: 'sum += price;\n', newText: 'sum += price * count;\n' };
const EDITS = [{ path: CART, kind: 'edits', edits: [EDIT] }];
const files = { [CART]: TEXT };

describe('an edit block', () => {
  const FORMS: readonly (readonly [string, string])[] = [
    ['below a bare path', `${CART}\n${BLOCK}`],
    ['below a path and blank lines', `${CART}\n\n\n${BLOCK}`],
    ['below a heading', `### ${CART}\n${BLOCK}`],
    ['below a numbered heading', `### 1. \`${CART}\`\n\n${BLOCK}`],
    ['below a bold path', `**${CART}**\n${BLOCK}`],
    ['below a bold path in backticks, with a colon', `**\`${CART}\`:**\n${BLOCK}`],
    ['below a path in backticks', `\`${CART}\`\n${BLOCK}`],
    ['below "File: path"', `File: ${CART}\n${BLOCK}`],
    ['below "**File:** path"', `**File:** \`${CART}\`\n${BLOCK}`],
    ['below a list item', `- ${CART}\n${BLOCK}`],
    ['below a path with a remark', `${CART} (line 2)\n${BLOCK}`],
    ['below a comment with the path', `// ${CART}\n${BLOCK}`],
    ['below a path that starts with ./', `./${CART}\n${BLOCK}`],
    ['below a sentence that ends with the path', `The quantity is left out in \`${CART}\`:\n${BLOCK}`],
    ['in a fence below the path', `${CART}\n\`\`\`ts\n${BLOCK}\n\`\`\``],
    ['in a fence with an unknown language', `${CART}\n\`\`\`search-replace\n${BLOCK}\n\`\`\``],
    ['in a fence of tildes', `${CART}\n~~~\n${BLOCK}\n~~~`],
    ['in a longer fence', `${CART}\n\`\`\`\`\`diff\n${BLOCK}\n\`\`\`\`\``],
    ['in a fence whose first line is the path', `\`\`\`ts\n${CART}\n${BLOCK}\n\`\`\``],
    ['in a fence whose first line is a comment with the path', `\`\`\`ts\n// ${CART}\n${BLOCK}\n\`\`\``],
    ['in a fence with the path after the language', `\`\`\`ts ${CART}\n${BLOCK}\n\`\`\``],
    ['in a fence with language:path', `\`\`\`ts:${CART}\n${BLOCK}\n\`\`\``],
    ['in a fence with the path as language', `\`\`\`${CART}\n${BLOCK}\n\`\`\``],
    ['in a fence with a title', `\`\`\`ts title="${CART}"\n${BLOCK}\n\`\`\``],
    ['with the path after its first marker', BLOCK.replace('SEARCH', `SEARCH ${CART}`)],
    ['in a list, indented', `1. ${CART}\n   \`\`\`ts\n${BLOCK.replace(/^/gm, '   ')}\n   \`\`\``],
    ['with CRLF', `${CART}\n${BLOCK}\n`.replaceAll('\n', '\r\n')],
    ['with markers of 5 characters', `${CART}\n${block('sum += price;', 'sum += price * count;', 5)}`],
    ['with markers of 9 characters', `${CART}\n${block('sum += price;', 'sum += price * count;', 9)}`],
    [
      'with markers of different lengths',
      `${CART}\n${BLOCK.replace('=======', '======').replace('>>>>>>>', '>>>>>>>>')}`,
    ],
  ];

  it.each(FORMS)('is found %s', (_name, answer) => {
    expect(parse(`I see it.\n\n${answer}\n\nThat is all.`, files)).toEqual({ changes: EDITS, problems: [] });
  });

  it.each(['4', '10'])('with markers of %s characters is ignored', (size) => {
    expect(parse(`${CART}\n${block('sum += price;', 'x', Number(size))}`, files).changes).toEqual([]);
  });

  it('may follow another of the same file, with or without text between them', () => {
    const more = block('let sum = 0;', 'let sum = 1;');
    const last = block('return sum;', 'return -sum;');
    const { changes } = parse(`${CART}\n${BLOCK}\n${more}\n\nAnd the sign:\n\n${last}`, files);
    expect(changes).toEqual([
      {
        path: CART,
        kind: 'edits',
        edits: [
          EDIT,
          { oldText: 'let sum = 0;\n', newText: 'let sum = 1;\n' },
          { oldText: 'return sum;\n', newText: 'return -sum;\n' },
        ],
      },
    ]);
  });

  it('belongs to the path above, with a fence for each block', () => {
    const fenced = (path: string, text: string): string => `${path}\n\`\`\`ts\n${text}\n\`\`\`\n`;
    const other = block('a', 'b');
    const answer = `${fenced(CART, BLOCK)}\nThen:\n\n${fenced('src/b.ts', other)}\n${fenced('src/c.ts', other)}`;
    const { changes } = parse(answer, { ...files, 'src/b.ts': 'a\n', 'src/c.ts': 'a\n' });
    expect(changes.map(({ path }) => path)).toEqual([CART, 'src/b.ts', 'src/c.ts']);
  });

  it('belongs to the path above, with one fence for all blocks', () => {
    const answer = `\`\`\`\n${CART}\n${BLOCK}\nsrc/b.ts\n${block('a', 'b')}\n\`\`\``;
    expect(parse(answer, files).changes.map(({ path }) => path)).toEqual([CART, 'src/b.ts']);
  });

  it('without a path belongs to the file named last that contains its old text', () => {
    const answer = `In \`${CART}\` the sum is wrong, as \`test/cart.test.ts\` shows.\n\n${BLOCK}`;
    expect(parse(answer, { ...files, 'test/cart.test.ts': 'expect(6)\n' }).changes).toEqual(EDITS);
  });

  it('below a path belongs to it, even if only another file contains its old text', () => {
    const { changes } = parse(`See ${CART}.\nsrc/b.ts\n${BLOCK}`, { ...files, 'src/b.ts': 'x\n' });
    expect(changes.map(({ path }) => path)).toEqual(['src/b.ts']);
  });

  it('without any path is reported', () => {
    expect(parse(BLOCK, files)).toEqual({
      changes: [],
      problems: ['A block without a path was ignored.'],
    });
  });

  it('with nothing below the divider deletes whole lines', () => {
    const [change] = parse(`${CART}\n${block('sum += price;', '')}`, files).changes;
    expect(change).toMatchObject({ edits: [{ oldText: 'sum += price;\n', newText: '' }] });
  });

  it('with nothing above the divider creates a file', () => {
    const { changes } = parse(`src/new.ts\n${block('', 'export const a = 1;')}`);
    expect(changes).toEqual([{ path: 'src/new.ts', kind: 'new', text: 'export const a = 1;\n' }]);
  });

  it('may have a line like the divider in its old text if the file has it', () => {
    const title = 'Title\n=======\nold';
    const { changes } = parse(`a.md\n${block(title, 'Title\n=======\nnew')}`, { 'a.md': `${title}\n` });
    expect(changes).toEqual([
      {
        path: 'a.md',
        kind: 'edits',
        edits: [{ oldText: `${title}\n`, newText: 'Title\n=======\nnew\n' }],
      },
    ]);
  });

  it('may have a line like the divider if its markers have another length', () => {
    const { changes } = parse(`a.md\n${block('x\n=======\ny', 'z', 9)}`);
    expect(changes).toEqual([
      { path: 'a.md', kind: 'edits', edits: [{ oldText: 'x\n=======\ny', newText: 'z' }] },
    ]);
  });

  it('may replace part of a line', () => {
    const [change] = parse(`${CART}\n${block('price', 'cost')}`, files).changes;
    expect(change).toMatchObject({ edits: [{ oldText: 'price', newText: 'cost' }] });
  });

  it('is found without blank lines next to its markers', () => {
    const spaced = block('\nsum += price;\n', '\nsum += price * count;\n');
    expect(parse(`${CART}\n${spaced}`, { [CART]: 'sum += price;\n' }).changes).toEqual(EDITS);
  });

  it('without a change is ignored and reported, and repeated blocks count once', () => {
    const { changes, problems } = parse(
      `${CART}\n${BLOCK}\n${BLOCK}\n${block('let sum = 0;', 'let sum = 0;')}`,
      files,
    );
    expect(changes).toEqual(EDITS);
    expect(problems).toEqual([`A block of ${CART} does not change its lines.`]);
  });

  it.each([
    ['in its old text', '<<<<<<< SEARCH\nlet su', 'has no REPLACE line'],
    ['in its new text', '<<<<<<< SEARCH\nlet sum = 0;\n=======\nlet su', 'has no REPLACE line'],
  ])('cut off %s is ignored and reported; earlier ones are applied', (_name, rest, problem) => {
    expect(parse(`${CART}\n${BLOCK}\n\n${CART}\n${rest}`, files)).toEqual({
      changes: EDITS,
      problems: [`A block of ${CART} ${problem} and was ignored.`],
    });
  });

  it('without its last marker ends before the next one', () => {
    const open = '<<<<<<< SEARCH\nlet sum = 0;\n=======\nlet sum = 1;\n';
    const { changes, problems } = parse(`${CART}\n${open}${CART}\n${BLOCK}`, files);
    expect(changes).toEqual(EDITS);
    expect(problems).toEqual([`A block of ${CART} has no REPLACE line and was ignored.`]);
  });

  it('without a divider is reported', () => {
    const { changes, problems } = parse(
      `${CART}\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n${CART}\n${BLOCK}`,
      files,
    );
    expect(changes).toEqual(EDITS);
    expect(problems).toEqual([`A block of ${CART} has no ======= line and was ignored.`]);
  });
});

describe('a whole file', () => {
  const whole = (path: string, text: string): object => ({ path, kind: 'whole', text });
  const BODY = 'export const a = 1;\n\nexport const b = 2;';
  const FORMS: readonly (readonly [string, string])[] = [
    ['below its path', `src/new.ts\n\`\`\`\n${BODY}\n\`\`\``],
    ['below a heading, with a language', `### \`src/new.ts\`\n\n\`\`\`typescript\n${BODY}\n\`\`\``],
    ['below "File: path (new)"', `File: src/new.ts (new)\n\`\`\`ts\n${BODY}\n\`\`\``],
    ['with the path after the language', `\`\`\`ts src/new.ts\n${BODY}\n\`\`\``],
    ['with a filename', `\`\`\`ts filename=src/new.ts\n${BODY}\n\`\`\``],
    ['with the path as its first line', `\`\`\`ts\nsrc/new.ts\n${BODY}\n\`\`\``],
    ['with a comment of the path as its first line', `\`\`\`ts\n// src/new.ts\n${BODY}\n\`\`\``],
    ['below its path, repeated as a comment', `src/new.ts\n\`\`\`ts\n// src/new.ts\n${BODY}\n\`\`\``],
    ['in tildes', `src/new.ts\n~~~ts\n${BODY}\n~~~`],
    ['in a list, indented', `1. src/new.ts\n   \`\`\`ts\n${BODY.replace(/^(?=.)/gm, '   ')}\n   \`\`\``],
    ['with CRLF', `src/new.ts\n\`\`\`\n${BODY}\n\`\`\`\n`.replaceAll('\n', '\r\n')],
  ];

  it.each(FORMS)('is found %s', (_name, answer) => {
    expect(parse(`Here it is.\n\n${answer}\n\nDone.`)).toEqual({
      changes: [whole('src/new.ts', `${BODY}\n`)],
      problems: [],
    });
  });

  it('may contain fences in a longer fence, or with a language', () => {
    const text = '# Use\n\n```sh\nnpm test\n```\n\nThat is all.';
    for (const fence of ['````', '```']) {
      const { changes } = parse(`README.md\n${fence}md\n${text}\n${fence}\n\nsrc/b.ts\n\`\`\`\nb\n\`\`\``);
      expect(changes).toEqual([whole('README.md', `${text}\n`), whole('src/b.ts', 'b\n')]);
    }
  });

  it('keeps a first line with its path if the file has it', () => {
    const text = `// ${CART}\nlet sum = 0;\n`;
    expect(parse(`${CART}\n\`\`\`ts\n${text}\`\`\``, { [CART]: text }).changes).toEqual([whole(CART, text)]);
  });

  it('cut off is ignored and reported', () => {
    expect(parse(`src/a.ts\n\`\`\`\na\n\`\`\`\nsrc/b.ts\n\`\`\`ts\nconst half = `)).toEqual({
      changes: [whole('src/a.ts', 'a\n')],
      problems: ['The text of src/b.ts is incomplete and was ignored.'],
    });
  });

  it('is ignored if the file has edit blocks', () => {
    const excerpt = `\`\`\`ts\nsum += price;\n\`\`\``;
    expect(parse(`${CART}\n${excerpt}\n${CART}\n${BLOCK}\n\n${CART}\n${excerpt}`, files).changes).toEqual(
      EDITS,
    );
  });

  it('counts in its last version', () => {
    const { changes } = parse('src/a.ts\n```\nold\n```\nBetter:\n\nsrc/a.ts\n```\nnew\n```');
    expect(changes).toEqual([whole('src/a.ts', 'new\n')]);
  });
});

describe('other text', () => {
  it.each([
    ['prose', 'The sum is wrong because src/cart.ts forgets the quantity.'],
    ['a fence without a path', '```ts\nsum += price;\n```'],
    ['a fence that starts with code like a file name', '```js\nprocess.env\n```'],
    ['a fence below a sentence that names a file', 'See `src/cart.ts`:\n```ts\nsum += price;\n```'],
    [
      'a fence separated from the path by text',
      'src/cart.ts\nis where it stands:\n```ts\nsum += price;\n```',
    ],
    ['conflict markers', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main'],
    ['an empty answer', ''],
  ])('changes nothing: %s', (_name, answer) => {
    expect(parse(answer, files)).toEqual({ changes: [], problems: [] });
  });

  it('in an unclosed fence does not hide later blocks', () => {
    expect(parse(`\`\`\`\nsome thoughts\n\n${CART}\n${BLOCK}`, files).changes).toEqual(EDITS);
  });
});
