import { expect, test } from 'vitest';
import {
  MAX_BODY_CHARS,
  REPORT_CHARS,
  renderPull,
  renderTitle,
} from '../../../src/ci/github/pull-request.ts';

const HEAD = 'a'.repeat(40);

test('renders branch and file names as code spans, without mentions or HTML', () => {
  const branch = 'x`@octocat <img src=x> [a](b)\n#1';
  const { title, body } = renderPull({
    claim: { branch, head: HEAD, id: '1-1' },
    files: ['src/`a`.js\n@everyone', '<script>.js'],
    report: 'REPORT',
    runUrl: undefined,
  });
  expect(title.split('\n')).toHaveLength(1);
  const outside = body.replace(/`[^`\n]*`/g, '');
  expect(outside).not.toMatch(/@octocat|@everyone|<img|<script|#1/);
  expect(body).toContain('REPORT');
});

test('says that the blocks of a fix were not tried', () => {
  const text = {
    claim: { branch: 'main', head: HEAD, id: '1-1' },
    files: ['src/a.js'],
    report: '',
    runUrl: undefined,
  };
  expect(renderPull({ ...text, isUntried: true }).body).toContain('**Look at each line**');
  expect(renderPull(text).body).not.toContain('Look at');
});

test('names the lines that no test runs', () => {
  const text = {
    claim: { branch: 'main', head: HEAD, id: '1-1' },
    files: ['src/a.js'],
    report: '',
    runUrl: undefined,
  };
  const unrun = [
    { path: 'src/a.js', first: 5, last: 6 },
    { path: 'src/b`@octocat.js', first: 9, last: 9 },
  ];
  const { body } = renderPull({ ...text, unrun });
  expect(body).toContain("**No test runs** `src/a.js` lines 5–6, `src/b'@octocat.js` line 9:");
  expect(renderPull(text).body).not.toContain('No test runs');
});

test('stays within the maximum length of a body', () => {
  const files = Array.from({ length: 100 }, (_, at) => `${at}${'x'.repeat(4000)}.js`);
  const claim = { branch: 'b'.repeat(255), head: HEAD, id: 'i'.repeat(100) };
  const { body } = renderPull({
    claim,
    files,
    unrun: files.map((path) => ({ path, first: 1_000_000, last: 2_000_000 })),
    leftOut: files,
    isUntried: true,
    report: 'r'.repeat(REPORT_CHARS),
    runUrl: 'https://github.com/o/r/actions/runs/1',
  });
  expect(body.length).toBeLessThanOrEqual(MAX_BODY_CHARS);
  expect(body).toContain('and 80 more');
});

test.each([
  ['main', 'ralph: fix main'],
  ['feature/a_b-1.2', 'ralph: fix feature/a_b-1.2'],
  ['#12', 'ralph: fix -12'],
  ['GH-12', 'ralph: fix gh_12'],
  ['octo/shop#12', 'ralph: fix octo/shop-12'],
  ['@octocat', 'ralph: fix -octocat'],
  ['x [skip ci]', 'ralph: fix x-skip-ci-'],
  ['***NO_CI***', 'ralph: fix -NO_CI-'],
])('writes the branch %s without references and directives', (branch, title) => {
  expect(renderTitle(branch)).toBe(title);
});
