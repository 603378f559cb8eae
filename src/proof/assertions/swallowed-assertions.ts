import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { conditionalAssertions, type AssertionPlace } from './assertion-places.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import {
  flippedFiles,
  passes,
  untyped,
  type CanaryInPlaceRequest,
  type FlippedFile,
} from '../flipped-tests.ts';
import { textOf } from '../../platform/files/text-of.ts';

const MARK = 'an assertion failed here';

/**
 * A sentence on a test that failed before and passes now although an assertion behind a condition in one of its callbacks
 * still fails, because the code under test drops its error; with the sources of the base the error made the test fail. An
 * assertion that the code tries again, and that holds in the end, is none. Undefined if there is none. One run, and one more
 * where an assertion fails; the files are put back. Never rejects for what the tests do.
 */
export async function findSwallowedAssertion(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const files = flippedFiles(asked, conditionalAssertions);
  if (files.length === 0 || asked.request.signal.aborted) return undefined;
  const { cacheDir } = asked.request;
  mkdirSync(cacheDir, { recursive: true });
  const folder = mkdtempSync(join(cacheDir, 'failures-'));
  const to = join(folder, 'marks');
  try {
    const now = await runWatched(check, asked, { files, to, folder, thrown: 'error' });
    const failed = lastFailed(textOf(to));
    const dropped = files.flatMap((own, at) => {
      const places = own.changes.flat().filter((place) => failed.has(`${at}:${place.from}`));
      const left = places.filter((place) => passes(own.file, place, now));
      return left.length === 0 ? [] : [{ ...own, changes: [left] }];
    });
    if (dropped.length === 0) return undefined;
    const thrown = `new Error(${JSON.stringify(MARK)})`;
    const before = await withBase(asked, () =>
      runWatched(check, asked, { files: dropped, to, folder, thrown }),
    );
    const [first] = dropped;
    return first !== undefined && before.diagnostics.some(({ message }) => message.includes(MARK))
      ? describe(first)
      : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Watch {
  readonly files: readonly FlippedFile<AssertionPlace>[];
  /** Absolute path of the file that gets the marks, and its folder. */
  readonly to: string;
  readonly folder: string;
  /** Code of what is thrown in place of the caught `error`. */
  readonly thrown: string;
}

async function runWatched(
  check: Check,
  { request }: CanaryInPlaceRequest,
  { files, to, folder, thrown }: Watch,
): Promise<CheckReport> {
  writeFileSync(to, '');
  const texts = new Map(
    files.map(({ file, source, changes }, at) => {
      const text = withWatch(source, changes.flat(), { id: `${at}`, to, thrown });
      return [file, untyped(file, text)];
    }),
  );
  const writable = [...(request.writable ?? []), folder];
  const own = { ...request, writable, fresh: true, files: [...texts.keys()] };
  return withTexts(request.root, texts, () => check.run(own));
}

/** The text, in which each assertion notes that it runs, and then that it fails. */
export function withWatch(
  source: string,
  places: readonly AssertionPlace[],
  { id, to, thrown }: { readonly id: string; readonly to: string; readonly thrown: string },
): string {
  return [...places]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to: end, isStatement }) => {
      const note = (what: string): string =>
        `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(to)}, ${JSON.stringify(`${id}:${from} ${what}\n`)})`;
      // It begins with a name, so that it does not continue a line before it that has no semicolon.
      const watched = `${note('ran')}, (() => { try { return ${text.slice(from, end)}; } catch (error) { ${note('failed')}; throw ${thrown}; } })()`;
      return text.slice(0, from) + (isStatement ? watched : `(${watched})`) + text.slice(end);
    }, source);
}

/** The places whose last run failed. */
export function lastFailed(marks: string): ReadonlySet<string> {
  const last = new Map(
    marks
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [place: string, what: string]),
  );
  return new Set([...last].filter(([, what]) => what === 'failed').map(([place]) => place));
}

function describe({ file, source, changes }: FlippedFile<AssertionPlace>): string {
  const { test, from } = changes[0]![0]!;
  const line = source.slice(0, from).split('\n').length;
  return `"${test}" of ${file} passes although its assertion in line ${line} still fails: the changed code drops the error, which made the test fail before. --allow permits it in a source file.`;
}
