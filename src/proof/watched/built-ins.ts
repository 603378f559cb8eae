import { isAbsolute, relative } from 'node:path';
import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { watchedRun, type WatchedAct } from './watched-run.ts';

/** Changed sources, and the files that judge them. */
export interface JudgedSources extends ChangedSources {
  /** True for a file that judges the product. */
  readonly isJudge: (path: string) => boolean;
}

/**
 * Runs test files with the built-ins of the language and the assertions under watch. Tampering for each that a changed
 * source replaces, and for a test runner or a judging file that it imports, unless the same tests with the sources of the
 * base do so too. What tests, dependencies and the
 * runner replace is no tampering, and neither is a run that fails. The files are put back. `files`: relative to the root.
 */
export async function findReplacedBuiltIns(
  check: Check,
  files: readonly string[],
  asked: JudgedSources,
): Promise<Tampering[]> {
  const { sources } = asked;
  const request = { ...asked.request, files };
  if (files.length === 0 || watchedSources(asked).length === 0) return [];
  const watch = async (): Promise<WatchedAct[]> =>
    (await watchedRun(check, request, watchedSources(asked))).filter((act) => decides(act, asked));
  const found = await watch();
  if (found.length === 0 || request.signal.aborted) return [];
  const known = new Set((await withBase(asked, watch)).map(({ name }) => name));
  const added = found.filter((act) => isDoubted(act, asked) || !known.has(act.name));
  return [...Map.groupBy(added, ({ source }) => source ?? sources[0]!)].map(([source, all]) =>
    all.some(({ kind }) => kind === 'imported')
      ? importsJudge(source, all.find(({ kind }) => kind === 'imported')!.name, request.root)
      : replaced(source, [...new Set(all.map(({ name }) => name))]),
  );
}

const RUNNERS = new Set(['test', 'vitest', 'mocha', 'ava', 'tape', 'tap', 'uvu', '@jest/globals']);

/** How modules are loaded, as `guests/watch-process.ts` names it. */
const LOADING = /^(the loader |module[._]|process\.(env|execArgv)\b|require\.cache )/;

/** Sources whose acts count: the changed ones, and those that may not decide how modules are loaded. */
export function watchedSources({ sources, doubted = [] }: ChangedSources): readonly string[] {
  return [...sources, ...doubted];
}

/** True for an act that counts although the base does the same. */
export function isDoubted(
  { source, name }: WatchedAct,
  { doubted = [] }: Pick<ChangedSources, 'doubted'>,
): boolean {
  return source !== undefined && doubted.includes(source) && LOADING.test(name);
}

/**
 * True for the replacement of a built-in or an assertion, and for the import of what judges the source; for a doubted source,
 * only where it decides how modules are loaded.
 */
export function decides(
  act: WatchedAct,
  { request: { root }, isJudge, doubted }: Pick<JudgedSources, 'request' | 'isJudge' | 'doubted'>,
): boolean {
  const { kind, name, source } = act;
  if (source !== undefined && doubted?.includes(source) === true) return isDoubted(act, { doubted });
  if (kind !== 'imported') return kind === 'replaced';
  return RUNNERS.has(name.replace(/^node:/, '')) || (isAbsolute(name) && isJudge(relative(root, name)));
}

/** Tampering for a source that imports a test runner, or a file that judges it. */
export function importsJudge(file: string, name: string, root: string): Tampering {
  const shown = isAbsolute(name) ? relative(root, name) : name;
  const detail = `${file} imports ${shown}, which judges it, while the tests run. --allow permits it in a file.`;
  return { kind: 'test_aware', file, detail: detail.slice(0, 2_000) };
}

function replaced(file: string, names: readonly string[]): Tampering {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  const detail = `${file} replaces ${names[0]}${more} while the tests run. Their assertions may use it, so they prove nothing as they are. --allow permits it in a file, such as that of a library whose purpose it is.`;
  return { kind: 'builtin_replaced', file, detail: detail.slice(0, 2_000) };
}
