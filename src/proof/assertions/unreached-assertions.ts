import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { programAssertions, type ProgramAssertion } from './program-assertions.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { textOf } from '../../platform/files/text-of.ts';

export interface JudgedSources extends ChangedSources {
  /** Files that judge the product, relative to the root. */
  readonly judges: readonly string[];
}

const MAX_FILES = 20;

/**
 * A sentence on an assertion of a program that judges, which is no longer reached although the command passes now: the one
 * that ended the program in the base, or one directly behind an assertion that runs. A promise before it does not settle, or
 * a loop around it has nothing to go through. Undefined if there is none. One run with the sources of the base and one
 * without; the files are put back. Never rejects for what the command does.
 */
export async function findUnreachedAssertion(
  check: Check,
  asked: JudgedSources,
): Promise<string | undefined> {
  const { request, judges } = asked;
  const files = judges
    .map((file) => ({ file, source: textOf(join(request.root, file)) }))
    .map((it) => ({ ...it, places: programAssertions(it.source) }))
    .filter(({ places }) => places.length > 0)
    .slice(0, MAX_FILES);
  if (files.length === 0 || request.signal.aborted) return undefined;
  mkdirSync(request.cacheDir, { recursive: true });
  const folder = mkdtempSync(join(request.cacheDir, 'marks-'));
  const reachedBy = async (to: string): Promise<{ marks: string[]; passes: boolean }> => {
    const texts = new Map(
      files.map(({ file, source, places }, at) => [file, withMarks(source, places, `${at}`, to)]),
    );
    const writable = [...(request.writable ?? []), folder];
    const report = await withTexts(request.root, texts, () =>
      check.run({ ...request, writable, fresh: true }),
    );
    return { marks: textOf(to).split('\n').filter(Boolean), passes: report.status === 'pass' };
  };
  try {
    const now = await reachedBy(join(folder, 'now'));
    if (!now.passes) return undefined;
    const done = new Set(now.marks.filter((it) => it.startsWith(DONE)).map((it) => it.slice(1)));
    for (const [at, { file, source, places }] of files.entries()) {
      const skipped = places.find(
        ({ from, follows }) =>
          follows !== undefined && done.has(`${at}:${follows}`) && !done.has(`${at}:${from}`),
      );
      if (skipped !== undefined) return describe(file, source, skipped);
    }
    const before = await withBase(asked, () => reachedBy(join(folder, 'before')));
    const [begunNow, begun, held] = [
      [now, BEGUN] as const,
      [before, BEGUN] as const,
      [before, DONE] as const,
    ].map(([{ marks }, kind]) => marks.filter((it) => it.startsWith(kind)).map((it) => it.slice(1)));
    // The last one, and those that begin now as well.
    const failed = begun!.filter((it) => !held!.includes(it));
    const lost = [begun!.at(-1), ...failed.filter((it) => begunNow!.includes(it))].find(
      (it) => it !== undefined && !done.has(it),
    );
    if (lost === undefined) return undefined;
    const [at, from] = lost.split(':').map(Number);
    const { file, source, places } = files[at!]!;
    return describe(
      file,
      source,
      places.find((it) => it.from === from)!,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BEGUN = 'b';
const DONE = 'd';

/** The text with a mark in front of each assertion and one behind it, which is reached if it holds. */
function withMarks(source: string, places: readonly ProgramAssertion[], id: string, to: string): string {
  const insertions = places.flatMap(({ from, to: end, isResult }) => [
    { at: from, text: `${isResult ? '(' : ''}${markCode(`${BEGUN}${id}:${from}`, to)}, ` },
    { at: end, text: `, ${markCode(`${DONE}${id}:${from}`, to)}${isResult ? ')' : ''}` },
  ]);
  return insertions
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: mark }) => text.slice(0, at) + mark + text.slice(at), source);
}

function markCode(mark: string, to: string): string {
  return `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(to)}, ${JSON.stringify(`${mark}\n`)})`;
}

function describe(file: string, source: string, { from }: ProgramAssertion): string {
  const line = source.slice(0, from).split('\n').length;
  return `The command passes, but the assertion in line ${line} of ${file} is not reached to its end: a promise before it does not settle, or there is nothing to go through. So the command proves less than it says. --allow permits it in a source file.`;
}
