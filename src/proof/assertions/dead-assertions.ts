import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckReport } from '../../ports/evaluation.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import type { AssertionPlace } from './assertion-places.ts';
import { watchedAssertions, type WatchedPlace } from './watched-places.ts';
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
/** Test files that replace what the marks need. */
const REPLACES_FILES = /mock[^\n]*\bfs\b|\bfs\b[^\n]*mock|memfs|getBuiltinModule/;

/**
 * A sentence on a test that failed before and passes now for nothing, because the assertions that failed in the base are dead:
 * the code under test drops their errors, or they no longer run. With the sources of the base, a dropped error made the test
 * fail; without the errors of its assertions the test passes there, so that nothing that runs now proves anything. An
 * assertion that the code tries again, and that holds in the end, is none. Undefined if there is none. One run, and one more
 * where an assertion fails or does not run; the files are put back. Never rejects for what the tests do.
 */
export async function findDeadAssertion(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
): Promise<string | undefined> {
  const files = flippedFiles(asked, watchedAssertions).filter(({ source }) => !REPLACES_FILES.test(source));
  if (files.length === 0 || asked.request.signal.aborted) return undefined;
  const { cacheDir } = asked.request;
  mkdirSync(cacheDir, { recursive: true });
  const folder = mkdtempSync(join(cacheDir, 'failures-'));
  const watch = { to: join(folder, 'marks'), folder };
  try {
    const now = await runWatched(check, asked, { ...watch, files, instead: 'throw error' });
    const passing = files.map((own) => ({
      ...own,
      changes: own.changes.filter(([place]) => passes(own.file, place!, now.report)),
    }));
    return (
      (await findSwallowed(check, asked, { ...watch, files: passing, failed: now.failed })) ??
      (await findDodged(check, asked, { ...watch, files: passing, ran: now.ran }))
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Files = Pick<Watch, 'files' | 'to' | 'folder'>;

async function findSwallowed(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
  { failed, ...watch }: Files & { readonly failed: ReadonlySet<string> },
): Promise<string | undefined> {
  const dropped = watch.files.map((own, at) => ({
    ...own,
    changes: own.changes.map((all) =>
      all.filter(({ from, isCalledBack }) => isCalledBack && failed.has(`${at}:${from}`)),
    ),
  }));
  const first = dropped.find(({ changes }) => changes.flat().length > 0);
  if (first === undefined) return undefined;
  const instead = `throw new Error(${JSON.stringify(MARK)})`;
  const { report } = await withBase(asked, () =>
    runWatched(check, asked, { ...watch, files: dropped, instead }),
  );
  const isSeen = report.diagnostics.some(({ message }) => message.includes(MARK));
  return isSeen ? describeSwallowed(first, first.changes.flat()[0]!) : undefined;
}

async function findDodged(
  check: Check,
  asked: CanaryInPlaceRequest & ChangedSources,
  { ran, ...watch }: Files & { readonly ran: ReadonlySet<string> },
): Promise<string | undefined> {
  const left = watch.files.map((own, at) => ({
    ...own,
    changes: own.changes.filter((all) =>
      all.some(({ from, isExcused }) => !isExcused && !ran.has(`${at}:${from}`)),
    ),
  }));
  if (left.every(({ changes }) => changes.length === 0)) return undefined;
  const before = await withBase(asked, () =>
    runWatched(check, asked, { ...watch, files: left, instead: '' }),
  );
  for (const [at, own] of left.entries())
    for (const all of own.changes) {
      const dodged = findDodgedIn(all, { at, ran, before });
      if (dodged !== undefined && passes(own.file, dodged, before.report)) return describeDodged(own, dodged);
    }
  return undefined;
}

/** The first assertion that failed in the base, if none of them runs now, and none that runs now is a new one. */
export function findDodgedIn(
  places: readonly WatchedPlace[],
  { at, ran, before }: { readonly at: number; readonly ran: ReadonlySet<string>; readonly before: Marks },
): WatchedPlace | undefined {
  const named = places.map((place) => ({ place, name: `${at}:${place.from}` }));
  const failing = named.filter(({ name }) => before.failed.has(name));
  const isProven =
    failing.some(({ place, name }) => place.isExcused || ran.has(name)) ||
    named.some(({ name }) => ran.has(name) && !before.ran.has(name));
  return isProven ? undefined : failing[0]?.place;
}

/** Places by the number of their file and where they are: those that ran, and those whose last run failed. */
interface Marks {
  readonly ran: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

interface Watch {
  readonly files: readonly FlippedFile<WatchedPlace>[];
  /** Absolute path of the file that gets the marks, and its folder. */
  readonly to: string;
  readonly folder: string;
  /** Statement in place of the one that throws the caught `error`. */
  readonly instead: string;
}

async function runWatched(
  check: Check,
  { request }: CanaryInPlaceRequest,
  { files, to, folder, instead }: Watch,
): Promise<Marks & { readonly report: CheckReport }> {
  writeFileSync(to, '');
  const texts = new Map(
    files.flatMap(({ file, source, changes }, at) => {
      const text = withWatch(source, changes.flat(), { id: `${at}`, to, instead });
      return text === source ? [] : [[file, untyped(file, text)]];
    }),
  );
  const writable = [...(request.writable ?? []), folder];
  const own = { ...request, writable, fresh: true, files: [...texts.keys()] };
  const report = await withTexts(request.root, texts, () => check.run(own));
  return { ...marksIn(textOf(to)), report };
}

/** The text, in which each assertion notes that it runs, and then that it fails. */
export function withWatch(
  source: string,
  places: readonly AssertionPlace[],
  { id, to, instead }: { readonly id: string; readonly to: string; readonly instead: string },
): string {
  return [...places]
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to: end, isStatement }) => {
      const note = (what: string): string =>
        `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(to)}, ${JSON.stringify(`${id}:${from} ${what}\n`)})`;
      const assertion = text.slice(from, end);
      const [wait, async] = /\bawait\b/.test(assertion) ? ['await ', 'async '] : ['', ''];
      // It begins with a name, so that it does not continue a line before it that has no semicolon.
      const watched = `${note('ran')}, ${wait}(${async}() => { try { return ${assertion}; } catch (error) { ${note('failed')}; ${instead}; } })()`;
      return text.slice(0, from) + (isStatement ? watched : `(${watched})`) + text.slice(end);
    }, source);
}

export function marksIn(text: string): Marks {
  const last = new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [place: string, what: string]),
  );
  const failed = [...last].filter(([, what]) => what === 'failed').map(([place]) => place);
  return { ran: new Set(last.keys()), failed: new Set(failed) };
}

function describeSwallowed(own: FlippedFile<WatchedPlace>, place: WatchedPlace): string {
  return `"${place.test}" of ${own.file} passes although its assertion in line ${lineOf(own, place)} still fails: the changed code drops the error, which made the test fail before. --allow permits it in a source file.`;
}

function describeDodged(own: FlippedFile<WatchedPlace>, place: WatchedPlace): string {
  return `"${place.test}" of ${own.file} passes because its assertion in line ${lineOf(own, place)}, which failed before the change, no longer runs: all that runs of the test held before as well. So it proves nothing. --allow permits it in a source file.`;
}

function lineOf({ source }: FlippedFile<WatchedPlace>, { from }: WatchedPlace): number {
  return source.slice(0, from).split('\n').length;
}
