import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
];

describe('links in the documentation', () => {
  it.each(PAGES)('%s: every target exists', (page) => {
    const broken = linksOf(readFileSync(join(ROOT, page), 'utf8')).filter((link) => !exists(link, page));
    expect(broken).toEqual([]);
  });

  it('in docs/README.md reach every page', () => {
    const reached = new Set(['docs/README.md']);
    for (const page of reached)
      if (page.endsWith('.md')) for (const target of targetsOf(page)) reached.add(target);
    expect(PAGES.filter((page) => page.startsWith('docs') && !reached.has(page))).toEqual([]);
  });
});

/** Paths of the files that a page links to, relative to the root. */
function targetsOf(page: string): string[] {
  const links = linksOf(readFileSync(join(ROOT, page), 'utf8'));
  return links.map((link) => join(dirname(page), link.split('#')[0]!));
}

/** Relative links outside of code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(\s*)(`{3,})[^]*?^\1\2$/gm, '').replace(/`[^`]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function exists(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || headingsOf(readFileSync(target, 'utf8')).includes(anchor);
}

/** Anchors of the headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  const prose = text.replace(/^(\s*)(`{3,})[^]*?^\1\2$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
