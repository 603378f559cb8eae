import { describe, expect, it } from 'vitest';
import { changedParts } from '../../../src/report/page/changed-part.ts';
import { renderDiff } from '../../../src/report/page/diff-view.ts';
import { createEvidence } from '../../../src/report/page/evidence.ts';
import { highlightLines } from '../../../src/report/page/highlight.ts';
import { html } from '../../../src/report/page/markup.ts';
import { CONTRASTS, PALETTE } from '../../../src/report/page/palette.ts';
import { parsePatch, type PatchFile } from '../../../src/report/page/patch.ts';
import { HOSTILE } from '../../support/hostile.ts';
import { failingTest, patchOf } from '../../support/stored-loop.ts';

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

describe('the palette', () => {
  it.each(['light', 'dark'] as const)('meets WCAG AA contrast in %s mode', (mode) => {
    const poor = CONTRASTS.flatMap(([front, back, least]) => {
      const [one, two] = [luminance(PALETTE[front][mode]), luminance(PALETTE[back][mode])];
      const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
      return ratio < least ? [`${front} on ${back}: ${ratio.toFixed(2)}`] : [];
    });
    expect(poor).toEqual([]);
    expect(CONTRASTS.length).toBeGreaterThan(60);
  });
});

describe('markup', () => {
  it('escapes values in texts, attributes and lists, and nests markup', () => {
    const value = `<b a="1" c='2'>&amp;`;
    expect(html`<p title="${value}">${[value, html`<i>${1}</i>`, null, false]}</p>`.text).toBe(
      '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;">&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;<i>1</i></p>',
    );
  });

  it('keeps line breaks of values, and removes the indentation of the template', () => {
    const list = html`<ul>
      <li>${'a\n   b'}</li>
    </ul>`;
    expect(list.text).toBe('<ul>\n<li>a\n   b</li>\n</ul>');
  });
});

describe('patches', () => {
  const files = (text: string): readonly PatchFile[] => parsePatch(text)!;

  it('are parsed into files, hunks and lines with their numbers on both sides', () => {
    const [file] = files(patchOf('src/a.ts', [{ line: 20, before: '-- old', after: '++ new' }]));
    expect(file).toMatchObject({ path: 'src/a.ts', kind: 'modified', linesAdded: 1, linesDeleted: 1 });
    expect(file!.hunks[0]).toMatchObject({ heading: 'export function around20(): void {' });
    expect(file!.hunks[0]!.lines.slice(2, 6)).toEqual([
      { sign: ' ', before: 19, after: 19, text: 'const kept19 = 19;' },
      { sign: '-', before: 20, after: null, text: '-- old' },
      { sign: '+', before: null, after: 20, text: '++ new' },
      { sign: ' ', before: 21, after: 21, text: 'const kept21 = 21;' },
    ]);
  });

  it('are parsed for added, deleted and binary files and non-ASCII names', () => {
    const text = [
      'diff --git a/new.ts b/new.ts\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+one',
      'diff --git a/old.ts b/old.ts\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-one',
      'diff --git a/p.png b/p.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 1\nIcmZPo',
      'diff --git "a/sp\\303\\244t.ts" "b/sp\\303\\244t.ts"\nindex 1111111..2222222 100644\n--- "a/sp\\303\\244t.ts"\n+++ "b/sp\\303\\244t.ts"\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file',
    ].join('\n');
    expect(files(text).map(({ path, kind, hunks }) => [path, kind, hunks.length])).toEqual([
      ['new.ts', 'added', 1],
      ['old.ts', 'deleted', 1],
      ['p.png', 'modified', 0],
      ['spät.ts', 'modified', 1],
    ]);
    expect(files(text)[3]!.hunks[0]!.lines).toHaveLength(2);
  });

  it.each(['', 'no patch at all', '@@ -1 +1 @@\n\\ No newline at end of file', HOSTILE])(
    'never make parsePatch throw: %j',
    (text) => {
      expect(() => parsePatch(text)).not.toThrow();
    },
  );

  it('have the changed part of a line marked, unless the line was rewritten', () => {
    const { lines } = files(
      patchOf('a.ts', [{ line: 20, before: 'return price - discount;', after: 'return price + discount;' }]),
    )[0]!.hunks[0]!;
    expect(changedParts(lines).slice(3, 5)).toEqual([
      { start: 13, end: 14 },
      { start: 13, end: 14 },
    ]);
    const anew = files(patchOf('a.ts', [{ line: 20, before: 'abc', after: 'xyz' }]))[0]!.hunks[0]!;
    expect(changedParts(anew.lines).every((part) => part === null)).toBe(true);
  });

  it('are cut to the maximum number of lines, with the number left out', () => {
    const shown = files(
      patchOf(
        'src/a.ts',
        [10, 50, 90].map((line) => ({ line, before: 'a', after: 'b' })),
      ),
    );
    const start = { iteration: 0, files: [] };
    const { markup, lines, hidden } = renderDiff({
      iteration: 1,
      files: shown,
      start,
      linked: new Set(),
      maxLines: 12,
    });
    expect([lines, hidden]).toEqual([12, 12]);
    expect(markup.text).toContain('12 lines left out.');
    const whole = renderDiff({ iteration: 1, files: shown, start, linked: new Set(), maxLines: 100 });
    expect([whole.lines, whole.hidden]).toEqual([24, 0]);
  });

  it('only name a file that is inherited unchanged', () => {
    const inherited = files(patchOf('src/a.ts', [{ line: 20, before: 'a', after: 'b' }]));
    const request = {
      iteration: 3,
      files: inherited,
      start: { iteration: 2, files: inherited },
      maxLines: 100,
    };
    expect(renderDiff({ ...request, linked: new Set() }).markup.text).toContain('href="#attempt-2"');
    expect(renderDiff({ ...request, linked: new Set() }).lines).toBe(0);
    expect(renderDiff({ ...request, linked: new Set(['a3-f0-l20']) }).lines).toBe(8);
  });
});

describe('highlighting', () => {
  it('keeps every character, and recognises strings over several lines', () => {
    const lines = ['const a = `one', '  two ${b}`; // end', '', 'function f() {}'];
    const runs = highlightLines('x.ts', lines);
    expect(runs.map((line) => line.map(({ text }) => text).join(''))).toEqual(lines);
    expect(runs[1]![0]).toEqual({ kind: 'text', text: '  two ' });
    expect(runs[0]![0]).toEqual({ kind: 'word', text: 'const' });
  });

  it.each(['x.unknown', 'Makefile', 'x.ts', 'x.md', 'x.html'])('keeps hostile text unchanged: %s', (path) => {
    const lines = [HOSTILE, '</script>', ''];
    expect(highlightLines(path, lines).map((line) => line.map(({ text }) => text).join(''))).toEqual(lines);
  });
});

describe('evidence', () => {
  const evidence = (): ReturnType<typeof createEvidence> =>
    createEvidence({
      iteration: 4,
      files: parsePatch(patchOf('src/a.ts', [{ line: 20, before: 'a', after: 'b' }]))!,
      failures: [failingTest('adds > two'), failingTest('rounds')],
    });

  it.each([
    ['at src/a.ts:20 it', 'at <a href="#a4-f0-l20">src/a.ts:20</a> it'],
    ['src/a.ts:400', '<a href="#a4-f0">src/a.ts:400</a>'],
    ['in src/a.ts.', 'in <a href="#a4-f0">src/a.ts</a>.'],
    ['test/cart.test.ts:12', '<a href="#a4-e1">test/cart.test.ts:12</a>'],
    ['the test "adds > two" fails', 'the test &quot;<a href="#a4-e0">adds &gt; two</a>&quot; fails'],
    ['`src/a.ts` and <b>', '<code><a href="#a4-f0">src/a.ts</a></code> and &lt;b&gt;'],
    ['src/other.ts:20', 'src/other.ts:20'],
  ])('links %j', (text, expected) => {
    expect(evidence().link(text).text).toBe(expected);
  });

  it('records the linked lines, and nothing else', () => {
    const one = evidence();
    one.link('src/a.ts:20, src/a.ts:400 and rounds');
    expect([...one.lines]).toEqual(['a4-f0-l20']);
  });

  it('matches names with special characters literally', () => {
    const odd = failingTest('a.*(b|c)+ [d] \\ $&');
    const link = createEvidence({ iteration: 1, files: [], failures: [odd] });
    expect(link.link('the test a.*(b|c)+ [d] \\ $& fails').text).toContain('<a href="#a1-e0">');
    expect(link.link('the test aXXb fails').text).not.toContain('<a ');
  });
});
