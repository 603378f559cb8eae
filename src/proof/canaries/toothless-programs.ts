import { join } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering } from '../../schema/generated.ts';
import {
  nestedExpectations,
  programExpectations,
  withWrong,
  type WrongExpectation,
} from './wrong-expectations.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** Most judging files that are tried, and most runs with a wrong value for each. */
const MAX_FILES = 4;
const MAX_ROUNDS = 4;

export interface ToothlessPrograms {
  /** For the tree, or a copy of it, in which the files are changed for a moment. */
  readonly request: CheckRequest;
  /** Files that judge the product, relative to the root. */
  readonly judges: readonly string[];
}

/**
 * Runs a command that turned green again with a wrong expected value in a file that judges, one at a time. Each must make it
 * fail; tampering for one that does not. A file that the command does not run is left out: a run in which its first line
 * fails, and fails again, shows it. The files are put back. Never rejects for what the command does.
 */
export async function findToothlessPrograms(
  check: Check,
  { request, judges }: ToothlessPrograms,
): Promise<Tampering[]> {
  const { root, signal } = request;
  let tried = 0;
  for (const file of judges) {
    const source = textOf(join(root, file));
    const changes = spread(programExpectations(source), MAX_ROUNDS);
    if (changes.length === 0 || tried >= MAX_FILES || signal.aborted) continue;
    const passesWith = async (text: string): Promise<boolean> => {
      writeInTree(root, file, text);
      return (await check.run({ ...request, fresh: true })).status === 'pass';
    };
    try {
      if (await passesWith(failingAtOnce(source))) continue;
      tried++;
      for (const change of changes) {
        if (!(await passesWith(withWrong(source, [change])))) continue;
        // A command that fails by chance may have failed for another reason than the first line.
        if (await passesWith(failingAtOnce(source))) break;
        return [toothless(file, check)];
      }
    } finally {
      writeInTree(root, file, source);
    }
  }
  return [];
}

/** The text with a first line that fails, behind the `#!` of a program. */
function failingAtOnce(source: string): string {
  return source.replace(/^(#!.*\n)?/, "$1throw new Error('This program is run.');\n");
}

/** A place in a file, with a 1-based line. */
export interface FailedLine {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * A sentence on a test of a program that failed before at one of these lines and passes now although every value that it
 * compares is wrong. Undefined if there is none. The files are put back. Never rejects for what the command does.
 */
export async function findSilentProgram(
  check: Check,
  request: CheckRequest,
  failed: readonly FailedLine[],
): Promise<string | undefined> {
  const { root, signal } = request;
  for (const file of new Set(failed.flatMap((it) => it.file ?? [])).values()) {
    const path = join(root, file);
    const source = textOf(path);
    const lines = new Set(failed.filter((it) => it.file === file).map(({ line }) => line));
    const isFailed = ({ from }: WrongExpectation): boolean =>
      lines.has(source.slice(0, from).split('\n').length);
    for (const [test, changes] of Map.groupBy(nestedExpectations(source), (it) => it.test)) {
      if (!changes.some(isFailed) || signal.aborted) continue;
      try {
        writeInTree(root, file, withWrong(source, changes));
        const { status } = await check.run({ ...request, fresh: true });
        if (status === 'pass')
          return `"${test}" of ${file} passes although every value that it compares was made wrong: none of its comparisons runs, so it proves nothing.`;
      } finally {
        writeInTree(root, file, source);
      }
    }
  }
  return undefined;
}

function toothless(file: string, { plan }: Check): Tampering {
  const detail = `\`${plan.args[0] ?? ''}\` passes with a wrong expected value in ${file}, so it cannot fail with this change. The code must not change how it is tested.`;
  return { kind: 'canary_passed', file, detail: detail.slice(0, 2_000) };
}

/** At most so many of a list, from its first to its last. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)]!);
}
