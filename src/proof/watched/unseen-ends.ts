import { mkdtempSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Check } from '../../ports.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import type { ProcessEnd } from '../guests/note-end.ts';
import { watchedRun, writePreload, type WatchedAct } from './watched-run.ts';

interface ProgramEnd extends ProcessEnd {
  /** Relative to the root. */
  readonly program: string;
}

/**
 * A sentence on a program of the product that a command starts, and that now ends with an error, or writes a NUL, where it did not
 * with the sources of the base, while the command does not look at that: it still passes if the program ends well. Undefined if
 * there is none. `acts`: those of a watched run of the command.
 */
export async function findUnseenEnd(
  check: Check,
  judges: (path: string) => boolean,
  acts: readonly WatchedAct[],
  asked: ChangedSources,
): Promise<string | undefined> {
  const { request } = asked;
  const bad = endsIn(acts, request.root, judges).filter(isBad);
  if (bad.length === 0 || request.signal.aborted) return undefined;
  const before = endsIn(await withBase(asked, () => watchedRun(check, request, [])), request.root, judges);
  const found = bad.find((end) => {
    const own = before.filter((it) => nameOf(it) === nameOf(end));
    return (
      own.length > 0 && !own.some((it) => (end.wroteNul && it.wroteNul) || (end.code !== 0 && it.code !== 0))
    );
  });
  if (found === undefined || !(await passesIfAllEndWell(check, asked))) return undefined;
  const what = found.wroteNul ? 'writes NUL characters' : `ends with exit code ${found.code}`;
  return `${nameOf(found).slice(0, 200)} ${what}, which it did not do before, and \`${(check.plan.args[0] ?? '').slice(0, 100)}\` does not look at that: it passes as well if the program ends well. Let it end as it did; if it is meant, --allow ${asked.sources[0]} permits it.`;
}

function isBad({ code, wroteNul }: ProcessEnd): boolean {
  return code !== 0 || wroteNul;
}

function nameOf({ program, args }: ProgramEnd): string {
  return [program, ...args].join(' ');
}

/** The ends of programs of the product. */
function endsIn(acts: readonly WatchedAct[], root: string, judges: (path: string) => boolean): ProgramEnd[] {
  return acts.flatMap(({ kind, name, entry }): ProgramEnd[] => {
    const program = relative(root, entry).split(sep).join('/');
    const isOwn = entry !== '' && !/^\.\.\/|(^|\/)node_modules\//.test(program) && !judges(program);
    return kind === 'left' && isOwn ? [{ ...(JSON.parse(name) as ProcessEnd), program }] : [];
  });
}

async function passesIfAllEndWell(check: Check, { request }: ChangedSources): Promise<boolean> {
  const to = mkdtempSync(join(request.cacheDir, 'ends-'));
  try {
    const preload = writePreload({ to, reads: [], ends: 'well' });
    return (await check.run({ ...request, fresh: true, preload })).status === 'pass';
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}
