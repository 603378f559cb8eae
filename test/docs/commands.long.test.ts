import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unknownNameIn } from './known-options.ts';
import { readPage } from './page.ts';
import { readWholePage, Reader, ROOT } from './reader.ts';
import { matchesShown } from './shown-output.ts';

const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path))
  .sort();
const TIMEOUT_MS = 600_000;

describe('documentation', () => {
  it.for(PAGES)('%s: every command prints what the page shows', { timeout: TIMEOUT_MS }, (path, { skip }) => {
    readWholePage(path, skip);
  });
});

describe('matchesShown', () => {
  it('accepts any lines for a line `…`, and any text for `…` in a line', () => {
    expect(matchesShown(['a', '…', 'b … d'], ['a', 'x', 'y', 'b c d', ''])).toBe(true);
  });

  it.each([
    ['a missing line', ['a', 'b'], ['a']],
    ['an additional line', ['a'], ['a', 'b']],
    ['another character', ['a.c'], ['abc']],
  ])('rejects %s', (_, shown, printed) => {
    expect(matchesShown(shown, printed)).toBe(false);
  });
});

describe('readPage', () => {
  it('rejects a block that is left out for no known reason', () => {
    expect(() => readPage('<!-- not run: too lazy -->\n\n```sh\nls\n```\n')).toThrow(/is not a reason/);
  });

  it('rejects a block without an end', () => {
    expect(() => readPage('```sh\nls\n')).toThrow(/no end/);
  });
});

describe('unknownNameIn', () => {
  it('names the first unknown option or command of a line', () => {
    expect(unknownNameIn('ralph run --modle x')).toBe('run --modle');
    expect(unknownNameIn('ralph nosuch')).toBe('nosuch');
    expect(unknownNameIn('ralph bench swe x.jsonl -- --modle x')).toBe('run --modle');
    expect(unknownNameIn('ralph bench swe x.jsonl -- --model x')).toBeUndefined();
  });

  it('ignores quoted text and other programs', () => {
    expect(unknownNameIn('ralph run "some --thing" --model x && ralph undo')).toBeUndefined();
    expect(unknownNameIn('npm run --modle x')).toBeUndefined();
  });
});

describe('a page', () => {
  const command = { kind: 'command', expected: [], exitCode: 0, line: 2 } as const;

  it('names the repository for its commands', () => {
    expect(() => new Reader().take({ ...command, command: 'true' })).toThrow(/run in/);
  });

  it('fails if a command has another exit code or output', () => {
    const reader = new Reader();
    reader.take({ kind: 'fixture', name: 'empty', line: 1 });
    expect(() => reader.take({ ...command, command: 'false' })).toThrow();
    expect(() => reader.take({ ...command, command: 'echo a', expected: ['b'] })).toThrow();
  });
});
