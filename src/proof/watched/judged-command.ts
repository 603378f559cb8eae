import { relative, sep } from 'node:path';
import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { decides, importsJudge, isDoubted, watchedSources } from './built-ins.ts';
import { findUnseenEnd } from './unseen-ends.ts';
import { watchedRun, type WatchedAct } from './watched-run.ts';

/** How a command that passes is judged by what it judges. */
export interface SelfJudging {
  readonly tampering: readonly Tampering[];
  /** A sentence on a program that ends in a way which the command does not look at. */
  readonly narrow?: string | undefined;
}

/**
 * Runs a command under watch that passes now and failed on the base. Tampering where a changed source decides how it is
 * judged: it replaces a built-in or an assertion; or it ends a process that it was not started with, puts its exit code
 * back or swallows its error. A program of the product may end itself, so an end counts only where the process was
 * started with code of the command line, with a file outside of the tree, or with a file that `judges` holds for. Acts
 * that the sources of the base do too are no tampering.
 */
export async function findSelfJudging(
  check: Check,
  judges: (path: string) => boolean,
  asked: ChangedSources,
): Promise<SelfJudging> {
  const { request, sources } = asked;
  if (watchedSources(asked).length === 0) return { tampering: [] };
  const watch = (): Promise<WatchedAct[]> => watchedRun(check, request, watchedSources(asked));
  const deciding = (acts: readonly WatchedAct[]): WatchedAct[] =>
    acts.filter(
      (act) =>
        decides(act, { request, isJudge: judges, doubted: asked.doubted }) ||
        (act.kind === 'ended' && isChanged(act) && isForeign(act.entry, request.root, judges)),
    );
  const isChanged = ({ source }: WatchedAct): boolean => source === undefined || sources.includes(source);
  const acts = await watch();
  const found = deciding(acts);
  if (request.signal.aborted) return { tampering: [] };
  if (found.length === 0) return { tampering: [], narrow: await findUnseenEnd(check, judges, acts, asked) };
  const before = deciding(await withBase(asked, watch));
  const isKnown = (act: WatchedAct): boolean =>
    before.some(({ name, source }) => name === act.name && (act.kind !== 'ended' || source === act.source));
  const added = found.filter((act) => isDoubted(act, asked) || !isKnown(act));
  const tampering = [...Map.groupBy(added, ({ source }) => source ?? sources[0]!)].map(([source, [first]]) =>
    first!.kind === 'imported'
      ? importsJudge(source, first!.name, request.root)
      : judged(source, first!, check.plan.args[0] ?? ''),
  );
  return { tampering };
}

function isForeign(entry: string, root: string, judges: (path: string) => boolean): boolean {
  const inside = relative(root, entry).split(sep).join('/');
  return entry === '' || inside.startsWith('../') || inside.startsWith('node_modules/') || judges(inside);
}

const ACTS: Readonly<Record<string, string>> = {
  'process.exit': 'ends the process',
  'process.reallyExit': 'ends the process',
  'process.exitCode': 'puts the exit code back to 0',
};

function judged(file: string, { kind, name }: WatchedAct, command: string): Tampering {
  const act = kind === 'replaced' ? `replaces ${name}` : (ACTS[name] ?? 'swallows an error');
  const detail = `${file} ${act} while \`${command}\` judges it, so that the command proves nothing. --allow permits it in a file.`;
  const tampering = kind === 'replaced' ? 'builtin_replaced' : 'process_ended';
  return { kind: tampering, file, detail: detail.slice(0, 2_000) };
}
