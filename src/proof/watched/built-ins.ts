import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { watchedRun, type WatchedAct } from './watched-run.ts';

/**
 * Runs test files with the built-ins of the language and the assertions under watch. Tampering for each that a changed
 * source replaces, unless the same tests with the sources of the base replace it too. What tests, dependencies and the
 * runner replace is no tampering, and neither is a run that fails. The files are put back. `files`: relative to the root.
 */
export async function findReplacedBuiltIns(
  check: Check,
  files: readonly string[],
  asked: ChangedSources,
): Promise<Tampering[]> {
  const { sources } = asked;
  const request = { ...asked.request, files };
  if (files.length === 0 || sources.length === 0) return [];
  const watch = async (): Promise<WatchedAct[]> =>
    (await watchedRun(check, request, sources)).filter(({ kind }) => kind === 'replaced');
  const found = await watch();
  if (found.length === 0 || request.signal.aborted) return [];
  const known = new Set((await withBase(asked, watch)).map(({ name }) => name));
  const added = found.filter(({ name }) => !known.has(name));
  return [...Map.groupBy(added, ({ source }) => source ?? sources[0]!)].map(([source, all]) =>
    replaced(source, [...new Set(all.map(({ name }) => name))]),
  );
}

function replaced(file: string, names: readonly string[]): Tampering {
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  const detail = `${file} replaces ${names[0]}${more} while the tests run, so their assertions prove nothing. --allow permits it in a file.`;
  return { kind: 'builtin_replaced', file, detail: detail.slice(0, 2_000) };
}
