import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIXTURES, runCommand } from './fixtures.ts';
import { unknownIn } from './known-options.ts';
import { isAsShown } from './output.ts';
import { readPage, type Step } from './page.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
];
const MOST_MS = 600_000;

describe('documentation', () => {
  it.each(PAGES)('%s: every command does what the page shows', { timeout: MOST_MS }, (path) => {
    const reader = new Reader();
    for (const step of readPage(readFileSync(join(ROOT, path), 'utf8'))) reader.take(step);
  });

  it('is not read as fine where it is not', () => {
    expect(isAsShown(['a', '…', 'b … d'], ['a', 'x', 'y', 'b c d', ''])).toBe(true);
    expect(isAsShown(['a', 'b'], ['a'])).toBe(false);
    expect(isAsShown(['a'], ['a', 'b'])).toBe(false);
    expect(isAsShown(['a.c'], ['abc'])).toBe(false);
    expect(() => readPage('<!-- not run: too lazy -->\n\n```sh\nls\n```\n')).toThrow(/no reason/);
    expect(() => readPage('```sh\nls\n')).toThrow(/no end/);
    expect(unknownIn('ralph run --modle x')).toBe('run --modle');
    expect(unknownIn('ralph nosuch')).toBe('nosuch');
    expect(unknownIn('ralph run "some --thing" --model x && ralph undo')).toBeUndefined();
    const reader = new Reader();
    expect(() =>
      reader.take({ kind: 'command', command: 'true', expected: [], exitCode: 0, line: 1 }),
    ).toThrow(/run in/);
    reader.take({ kind: 'fixture', name: 'empty', line: 1 });
    expect(() =>
      reader.take({ kind: 'command', command: 'false', expected: [], exitCode: 0, line: 2 }),
    ).toThrow();
    expect(() =>
      reader.take({ kind: 'command', command: 'echo a', expected: ['b'], exitCode: 0, line: 2 }),
    ).toThrow();
  });
});

/** Reads a page as its user would: in one repository until the page names another. */
class Reader {
  #folder: string | undefined;

  take(step: Step): void {
    const where = `line ${step.line}`;
    if (step.kind === 'fixture') this.#folder = this.#make(step.name, where);
    else if (step.kind === 'json') JSON.parse(step.text);
    else if (step.kind === 'shown')
      for (const command of step.commands) expect(unknownIn(command), `${where}: ${command}`).toBeUndefined();
    else if (this.#folder === undefined) throw new Error(`${where}: no "run in" comes before it.`);
    else if (step.kind === 'file') this.#write(join(this.#folder, step.path), step.text);
    else this.#run(step, where);
  }

  #make(name: string, where: string): string {
    const make = FIXTURES[name];
    if (make === undefined)
      throw new Error(`${where}: no repository is called ${name}; ${Object.keys(FIXTURES).join(', ')} are.`);
    return make((command, cwd) => expect(runCommand(command, cwd), command).toMatchObject({ exitCode: 0 }));
  }

  #write(path: string, text: string): void {
    expect(relative(this.#folder!, path)).not.toMatch(/^\.\./);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  #run({ command, expected, exitCode }: Extract<Step, { kind: 'command' }>, where: string): void {
    const ran = runCommand(command, this.#folder!);
    expect(ran.exitCode, `${where}: ${command}\n${ran.output}`).toBe(exitCode);
    if (expected.every((line) => line.trim() === '')) return;
    const isRight = isAsShown(expected, ran.output.split('\n'));
    expect(isRight, `${where}: ${command}\nprinted:\n${ran.output}\nshown:\n${expected.join('\n')}`).toBe(
      true,
    );
  }
}
