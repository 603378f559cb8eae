import { marked } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLoopRecord, type LoopRecord } from '../../src/report/data/loop-record.ts';
import { renderLoopsMarkdown } from '../../src/report/loops-markdown.ts';
import { MARKDOWN_LIMIT, renderMarkdown } from '../../src/report/markdown.ts';
import { markdownCode, markdownText } from '../../src/report/markdown-text.ts';
import { readAnalysis } from '../../src/report/data/read-analysis.ts';
import { hostileLoop, PAYLOADS } from '../support/hostile.ts';
import { longLoop } from '../support/long-loop.ts';
import { repositoryWith } from '../support/repositories.ts';
import { storeLoop } from '../support/stored-loop.ts';

/** As GitHub reads it, near enough: its flavour of Markdown, HTML let through. */
const shown = (text: string): string => marked.parse(text, { gfm: true, async: false });
const words = (html: string): string =>
  html
    .replace(/<code>[^<]*<\/code>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

const EVIL = [
  ...PAYLOADS,
  '@octocat and @org/team',
  'fixes #12, closes GH-7, resolves owner/repo#3',
  'fixes https://github.com/owner/repo/issues/12 www.evil.invalid mail@evil.invalid',
  '[click](https://evil.invalid) ![x](https://evil.invalid/x.png) <https://evil.invalid>',
  '| a | b |\n|---|---|\n| c | d |',
  '# heading\n\n- item\n\n1. one\n\n> quote\n\n---\n\n```sh\ncode\n```\n/close\n/label ~bug',
  '`` ` @octocat ` `` ``` `` <b>',
  '**bold** _it_ ~~gone~~ <!-- hidden --> [^1] $x$ :tada:',
  'back\\| slash\\',
  '/merge !12 %milestone ~label &12 $snippet',
  '\u202Etxt \u001B[31m',
];

/** Fails if a text has become a link, an image, a mention or another active element. */
function expectInert(html: string): void {
  expect(html).not.toMatch(
    /<(?!\/?(p|code|br|li|ul|table|thead|tbody|tr|td|th|h2|h3|strong|em|details|summary)\b)/i,
  );
  expect(html).not.toMatch(/<[^>]* (href|src|on\w+|style)=/i);
  const text = words(html);
  expect(text).not.toMatch(/(^|[^\w/])@[\w-]/);
  expect(text).not.toMatch(/#\d|\bGH-\d|!\d|https?:\/\/|www\./i);
}

describe('markdownText and markdownCode', () => {
  it.each(EVIL)('escapes %s', (text) => {
    expectInert(shown(`- ${markdownText(text)}`));
    expectInert(shown(`| a | b |\n|---|---|\n| ${markdownCode(text, { inTable: true })} | end |`));
    expectInert(shown(markdownCode(text)));
  });

  it('the texts under test have an effect without escaping', () => {
    expect(() => expectInert(shown('- @octocat'))).toThrow();
    expect(() => expectInert(shown('- fixes #12'))).toThrow();
    expect(() => expectInert(shown('- [click](https://evil.invalid)'))).toThrow();
    expect(() => expectInert(shown(`- ${PAYLOADS[0]}`))).toThrow();
  });

  it.each(EVIL)('keeps %s in its table cell', (text) => {
    const html = shown(`| a | b |\n|---|---|\n| ${markdownCode(text, { inTable: true })} | end |`);
    expect(html.match(/<td>/g)).toHaveLength(2);
    expect(html).toContain('<td>end</td>');
  });

  it.each([
    ['a_b*c', 'a_b*c'],
    ['x > 1 && y < 2', 'x &gt; 1 &amp;&amp; y &lt; 2'],
    ['see `a_b` here', 'see <code>a_b</code> here'],
    ['3.14 and -1', '3.14 and -1'],
  ])('is read as it was written: %s', (text, expected) => {
    expect(shown(markdownText(text)).replaceAll('&#8203;', '').replaceAll('\u200B', '').trim()).toBe(
      `<p>${expected}</p>`,
    );
  });

  it('cuts a text to one line with an ellipsis', () => {
    expect(markdownText('a\nb\n'.repeat(500), 20)).toBe('a b a b a b a b a b…');
    expect(markdownCode('')).toBe('');
  });
});

describe('renderMarkdown', () => {
  let root: string;
  let record: LoopRecord;

  beforeAll(async () => {
    root = repositoryWith({ 'a.txt': 'a\n' });
    await storeLoop(root, longLoop('ralph-long-20260101-aaaaaa', 8));
    record = await readLoopRecord(root, 'ralph-long-20260101-aaaaaa');
  });

  it('contains verdict, receipt, every attempt and every reflection', () => {
    const text = renderMarkdown(record);
    expect(text).toMatch(/^## ✅ Verified, reward 0\.\d{3} → 1\.000\n/);
    const html = shown(text);
    const tables = html.split('<table>').slice(1);
    expect(tables.map((table) => table.split('<tr>').length - 2)).toEqual([4, 9]);
    expect(html.match(/<details>/g)).toHaveLength(7);
    expect(text).toContain('Begin the sum of src/cart.ts:20 at 0.');
    expect(text).not.toContain('_Left out');
  });

  it.each([65_536, 20_000, 4_000, 600])(
    'is never longer than %i characters, and says what it left out',
    (maxChars) => {
      const attempts = Array.from({ length: 400 }, (_, index) => ({
        ...record.attempts[index % 7]!,
        iteration: index + 1,
      }));
      const long = { ...record, task: 'x '.repeat(9_000), attempts };
      const text = renderMarkdown(long, { maxChars });
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text).toMatch(/^## ✅ Verified/);
      expect(text).toMatch(/_Left out: .*ralph report ralph-long-20260101-aaaaaa --html report\.html/);
    },
  );

  it('escapes the texts of a hostile loop', async () => {
    const hostile = repositoryWith({ 'a.txt': 'a\n' });
    const texts = [EVIL.slice(0, 10), EVIL.slice(10)].map((some) => some.join(' ').replace(/\s+/g, ' '));
    for (const [index, text] of texts.entries()) {
      const id = `ralph-hostile-20260101-aaaaa${index}`;
      await storeLoop(hostile, hostileLoop(id, text.slice(0, 990)));
      const markdown = renderMarkdown(await readLoopRecord(hostile, id));
      expect(markdown.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
      expectInert(shown(markdown));
      const receipt = shown(markdown).split('<table>')[1]!.split('</table>')[0]!;
      expect(receipt.match(/<tr>/g)).toHaveLength(3);
    }
    expectInert(shown(renderLoopsMarkdown(await readAnalysis(hostile))));
  });

  it('renders all loops of a repository in a table', async () => {
    const text = renderLoopsMarkdown(await readAnalysis(root));
    expect(text).toContain('## 1 loop, 8 attempts');
    expect(text).toContain('- Success: 1 of 1 (100 %');
    expect(shown(text)).toContain('<code>Make the shop add up again: totals, shipping and receipts.</code>');
    expect(renderLoopsMarkdown(await readAnalysis(root), { maxChars: 80 }).length).toBeLessThanOrEqual(80);
  });
});
