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
  it.each(PAGES)('%s: each leads somewhere', (page) => {
    const broken = linksOf(readFileSync(join(ROOT, page), 'utf8')).filter((link) => !isThere(link, page));
    expect(broken).toEqual([]);
  });

  it('reach every page from the index', () => {
    const index = linksOf(readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8')).map((link) =>
      join('docs', link.split('#')[0]!),
    );
    expect(
      PAGES.filter((page) => page !== 'README.md' && page !== 'docs/README.md' && !index.includes(page)),
    ).toEqual([]);
  });
});

/** Relative ones, outside of code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(\s*)(`{3,})[^]*?^\1\2$/gm, '').replace(/`[^`]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function isThere(link: string, page: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || headingsOf(readFileSync(target, 'utf8')).includes(anchor);
}

/** As GitHub names them. */
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
