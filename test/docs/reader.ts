import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { FIXTURES, runCommand } from './fixtures.ts';
import { unknownNameIn } from './known-options.ts';
import { readPage, type Step } from './page.ts';
import { matchesShown } from './shown-output.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

/** Executes all commands of a page, whose path is relative to `ROOT`. */
export function readWholePage(path: string, skip: (note: string) => void): void {
  const steps = readPage(readFileSync(join(ROOT, path), 'utf8'));
  if (!hasBubblewrap && steps.some(({ kind }) => kind === 'needs bubblewrap'))
    skip('The page shows the sandbox, and bubblewrap does not work here.');
  const reader = new Reader();
  for (const step of steps) reader.take(step);
}

/** Executes the steps of a page, in one repository until the page names another. */
export class Reader {
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
