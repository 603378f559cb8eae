import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { FIXTURES, runCommand } from './fixtures.ts';
import { unknownNameIn } from './known-options.ts';
import { readPage, type Step } from './page.ts';
import { matchesShown } from './shown-output.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
];
const TIMEOUT_MS = 600_000;

describe('documentation', () => {
  it.for(PAGES)('%s: every command prints what the page shows', { timeout: TIMEOUT_MS }, (path, { skip }) => {
    const steps = readPage(readFileSync(join(ROOT, path), 'utf8'));
    if (!hasBubblewrap && steps.some(({ kind }) => kind === 'needs bubblewrap'))
      skip('The page shows the sandbox, and bubblewrap does not work here.');
    const reader = new Reader();
    for (const step of steps) reader.take(step);
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

/** Executes the steps of a page, in one repository until the page names another. */
class Reader {
  #folder: string | undefined;

  take(step: Step): void {
    const where = `line ${step.line}`;
    if (step.kind === 'needs bubblewrap') return;
    if (step.kind === 'fixture') this.#folder = this.#make(step.name, where);
    else if (step.kind === 'json') JSON.parse(step.text);
    else if (step.kind === 'shown')
      for (const command of step.commands)
        expect(unknownNameIn(command), `${where}: ${command}`).toBeUndefined();
    else if (this.#folder === undefined) throw new Error(`${where}: there is no "run in" before it.`);
    else if (step.kind === 'file') this.#write(join(this.#folder, step.path), step.text);
    else this.#run(step, where);
  }

  #make(name: string, where: string): string {
    const make = FIXTURES[name];
    if (make === undefined)
      throw new Error(
        `${where}: there is no repository ${name}. Known are ${Object.keys(FIXTURES).join(', ')}.`,
      );
    return make((command, cwd) => expect(runCommand(command, cwd), command).toMatchObject({ exitCode: 0 }));
  }

  #write(path: string, text: string): void {
    expect(relative(this.#folder!, path)).not.toMatch(/^\.\./);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  #run({ command, expected, exitCode }: Extract<Step, { kind: 'command' }>, where: string): void {
    const result = runCommand(command, this.#folder!);
    expect(result.exitCode, `${where}: ${command}\n${result.output}`).toBe(exitCode);
    if (expected.every((line) => line.trim() === '')) return;
    const isRight = matchesShown(expected, result.output.split('\n'));
    const difference = `${where}: ${command}\nprinted:\n${result.output}\nshown:\n${expected.join('\n')}`;
    expect(isRight, difference).toBe(true);
  }
}
