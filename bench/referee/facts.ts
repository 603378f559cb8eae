import { execaSync } from 'execa';
import type { Diagnostic, Evaluation } from '../../src/schema/generated.ts';
import { rerunWithPrints, type Print } from './rerun.ts';
import { git } from './git.ts';
import type { RecordedAttempt, RecordedLoop } from './run-subject.ts';

/** A change of consecutive lines; `line` is 1-based, in the new file. */
export interface DiffHunk {
  readonly file: string;
  readonly line: number;
  readonly removed: string;
  readonly added: string;
}

/** One attempt of a loop, with what git says of its trees and what a run of a test shows. */
export class Facts {
  readonly attempt: RecordedAttempt;
  readonly loop: RecordedLoop;

  constructor(loop: RecordedLoop, attempt: RecordedAttempt) {
    this.loop = loop;
    this.attempt = attempt;
  }

  get diff(): string {
    return git(this.loop.root, ['diff', '-U0', this.attempt.start, this.attempt.tree]);
  }

  changedFiles(): string[] {
    return git(this.loop.root, ['diff', '--name-only', this.attempt.start, this.attempt.tree])
      .split('\n')
      .filter(Boolean);
  }

  other(iteration: number): RecordedAttempt | undefined {
    return this.loop.attempts.find((one) => one.iteration === iteration);
  }

  get next(): RecordedAttempt | undefined {
    return this.other(this.attempt.iteration + 1);
  }

  /** The errors after the attempt, first those that the reflection names as tests at a place, in its order. */
  reported(): Diagnostic[] {
    const { reflection_text: text } = this.attempt.reflection.self_reflection;
    const placeIn = ({ rule = '', file, line }: Diagnostic): number => {
      const title = flat(rule).split(' > ').at(-1)!.slice(0, 60);
      const at = text.search(new RegExp(`${escaped(title)}[^\\n]{0,80} at ${escaped(`${file}:${line}`)}`));
      return at === -1 ? Infinity : at;
    };
    return [...errorsOf(this.attempt.evaluation)].sort((one, other) => placeIn(one) - placeIn(other));
  }

  /** Values at the prints while the test of a failure runs again. */
  rerunOf({ rule }: Diagnostic, prints: readonly Print[]): (readonly string[])[] {
    return rerunWithPrints(this.loop, this.attempt, { test: rule!, prints });
  }

  /** The lines that the attempt wrote in these files, as places to print at. */
  writtenLines(files: readonly string[] = this.changedFiles()): Print[] {
    return files.flatMap((file) => [...this.written(file)].map((line) => ({ file, line, code: '' })));
  }

  /** The line of the start that became a line of the tree; undefined for a line that the attempt wrote. */
  lineAtStart(file: string, line: number): number | undefined {
    if (this.written(file).has(line)) return undefined;
    const above = this.hunks().filter((hunk) => hunk.file === file && hunk.line <= line);
    const count = (text: string): number => (text === '' ? 0 : text.split('\n').length);
    return above.reduce((at, { added, removed }) => at - count(added) + count(removed), line);
  }

  /** Values at the prints while the test runs again that the reflection reports first. */
  rerun(prints: readonly Print[]): (readonly string[])[] {
    const test = this.reported().find((one) => one.test_id !== undefined);
    return test === undefined ? [] : rerunWithPrints(this.loop, this.attempt, { test: test.rule!, prints });
  }

  codeAt(tree: string, file: string, line: number): string {
    return this.textAt(tree, file).split('\n')[line - 1] ?? '';
  }

  /** A file of a tree; empty if it does not exist. */
  textAt(tree: string, file: string): string {
    try {
      return git(this.loop.root, ['show', `${tree}:${file}`]);
    } catch {
      return '';
    }
  }

  /** The same with its last line break. */
  rawTextAt(tree: string, file: string): string {
    return execaSync('git', ['show', `${tree}:${file}`], { cwd: this.loop.root, stripFinalNewline: false })
      .stdout;
  }

  /** Every source and test of a tree as one line, in which a quote of several lines can be found. */
  allCode(tree: string): string {
    const files = git(this.loop.root, ['ls-tree', '-r', '--name-only', tree]).split('\n');
    return flat(
      files
        .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
        .map((file) => this.textAt(tree, file))
        .join('\n'),
    );
  }

  /** Lines that the attempt wrote, by file. */
  written(file: string): Set<number> {
    const part = this.diff.split(/^diff --git /m).find((one) => one.includes(`+++ b/${file}\n`)) ?? '';
    const lines = new Set<number>();
    for (const [, start, count] of part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
      for (let line = 0; line < Number(count ?? 1); line++) lines.add(Number(start) + line);
    return lines;
  }

  /** The hunks of the whole diff. */
  hunks(): DiffHunk[] {
    return this.diff
      .split(/^diff --git /m)
      .slice(1)
      .flatMap((part) => {
        const file = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '';
        return part
          .split(/^(?=@@ )/m)
          .slice(1)
          .map((hunk) => hunkIn(file, hunk));
      });
  }
}

function hunkIn(file: string, hunk: string): DiffHunk {
  const rows = hunk.split('\n').slice(1);
  const of = (mark: string): string =>
    rows
      .filter((row) => row.startsWith(mark))
      .map((row) => row.slice(1))
      .join('\n');
  const isDeletion = !rows.some((row) => row.startsWith('+'));
  const line = Number(/\+(\d+)/.exec(hunk)![1]) + (isDeletion ? 1 : 0);
  return { file, line, removed: of('-'), added: of('+') };
}

/** The errors of an evaluation. */
export const errorsOf = ({ diagnostics }: Evaluation): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error');

/** The text on one line. */
export const flat = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
