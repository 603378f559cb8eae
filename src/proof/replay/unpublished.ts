import { posix } from 'node:path';
import { packPackage, type PackedPackage } from '../delivery/packed-package.ts';
import { publishedFolder } from '../delivery/published-folder.ts';
import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { repeatCalls, type EntryCall, type RepeatableCall } from './repeat-calls.ts';
import { repeatIn, type ReplayRequest } from './replay-request.ts';

/** The recorded calls of a package's sources, and their results by position in two places. */
interface Compared {
  /** In the tree. */
  readonly plain: ReadonlyMap<number, string>;
  /** In the package as npm packs it; calls through its entry have positions of their own. */
  readonly packed: ReadonlyMap<number, string>;
}

/**
 * A sentence on a function whose calls give other results in the package as npm packs it, with its dependencies alone, than in
 * the tree, and did not in the base: it needs a file or a package that users do not get. Or on one that users who load the
 * package by its name get as it was before. Undefined if there is none, and for sources that are not published.
 */
export async function findUnpublished(
  check: Check,
  asked: ReplayRequest,
  alike: readonly RepeatableCall[],
): Promise<string | undefined> {
  const { root } = asked.request;
  const [first] = Map.groupBy(alike, ({ realm }) => realm).values();
  const byFolder = Map.groupBy(first ?? [], ({ source }) => publishedFolder(source, root));
  for (const [folder, calls] of byFolder) {
    const packed = folder === undefined ? undefined : await packPackage(folder, root);
    const own = calls.filter(({ source }) => packed?.files.includes(posix.relative(folder!, source)));
    if (packed === undefined || own.length === 0) continue;
    const found = await inPackage(check, asked, { packed, calls: own });
    if (found !== undefined) return found;
  }
  return undefined;
}

interface PackedCalls {
  readonly packed: PackedPackage;
  readonly calls: readonly RepeatableCall[];
}

async function inPackage(
  check: Check,
  asked: ReplayRequest,
  { packed, calls }: PackedCalls,
): Promise<string | undefined> {
  const repeat = repeatIn(check, asked);
  const all = [...calls, ...entryCalls(calls)];
  const now = await repeatCalls(all, repeat, { packed });
  const isOther = ({ at, result }: RepeatableCall): boolean => now.get(at) !== result;
  const isOtherWhereKnown = (call: RepeatableCall): boolean => now.has(call.at) && isOther(call);
  const suspects = all.filter((call) => ('entryOf' in call ? isOtherWhereKnown(call) : isOther(call)));
  if (suspects.length === 0) return undefined;
  const again = await repeatCalls(all, repeat, { packed });
  const before = await withBase(asked, async (): Promise<Compared> => {
    const base = await packPackage(packed.folder, asked.request.root);
    return {
      plain: await repeatCalls(calls, repeat),
      packed: base === undefined ? new Map() : await repeatCalls(all, repeat, { packed: base }),
    };
  });
  const sure = suspects.filter(({ at }) => again.get(at) === now.get(at));
  // A build may bundle what the sources need: then users do not load them.
  const isLoaded = !packed.isBuilt || all.some((call) => 'entryOf' in call && before.packed.has(call.at));
  const lost = isLoaded && sure.find((call) => !('entryOf' in call) && wasDelivered(call, before));
  if (lost)
    return `${lost.name} of ${lost.source} ${now.has(lost.at) ? 'gives another result' : 'cannot be loaded'} in the package as npm packs it: it needs a file that the package leaves out, or a package that is not among its dependencies. Deliver what it needs, or --allow ${lost.source} permits it.`;
  const stale = packed.isBuilt ? undefined : sure.find((call) => isStale(call, before, now));
  return (
    stale &&
    `${stale.name} of ${stale.source} is repaired, and users who load ${packed.name} by its name get it as it was: its entry leads to other code. --allow ${stale.source} permits it.`
  );
}

/** The base gave the same result in the package as in the tree. */
function wasDelivered({ at }: RepeatableCall, { plain, packed }: Compared): boolean {
  return plain.has(at) && packed.get(at) === plain.get(at);
}

/** Through the entry, the call has the result of the base, which the source no longer has. */
function isStale({ at }: RepeatableCall, before: Compared, now: ReadonlyMap<number, string>): boolean {
  const was = before.plain.get(at % SHIFT);
  return was !== undefined && before.packed.get(at) === was && now.get(at) === was;
}

/** Between the positions of calls and those of the same calls through an entry. */
const SHIFT = 1_000_000;

/** The calls of exported functions, made of what the package's entries export by the same names. */
function entryCalls(calls: readonly RepeatableCall[]): EntryCall[] {
  const plain = calls.filter(({ on, args }) => on === undefined && !/"[hc]":/.test(args));
  return (['import', 'require'] as const).flatMap((entryOf, number) =>
    plain.map((call) => ({ ...call, entryOf, at: call.at + (number + 1) * SHIFT })),
  );
}
