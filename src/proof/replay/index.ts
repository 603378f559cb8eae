import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { Check } from '../../ports.ts';
import { withBase } from '../base-sources.ts';
import { changesOfSettings } from './ambient/changed-by-settings.ts';
import { changesOfTests } from './ambient/changed-by-tests.ts';
import { joined } from './ambient/changes.ts';
import {
  findsChanges,
  importedFiles,
  makesFiles,
  mayBeSetUpBy,
  mayHoldState,
  reachesOutside,
} from './ambient/reached.ts';
import { differs } from './describe-calls.ts';
import { describeFed, describeOdd, describeOpen } from './describe-results.ts';
import { judgingTexts } from './judging-texts.ts';
import { findLapses } from './lapses.ts';
import { findUnpublished } from './unpublished.ts';
import type { Recording } from './recording.ts';
import type { RepeatableCall } from './repeat-calls.ts';
import { keyOf, repeatIn, type ReplayRequest, type ReplayResult } from './replay-request.ts';
import { noCalls, unlikeOutside, type Outcome } from './unlike-outside.ts';

/**
 * Records the calls of the changed sources' exported functions while tests run, and repeats them in Node without a test
 * runner. Tampering for a function that has another result there, in each of several circumstances, if it had the same
 * result in the base. Calls that depend on what a test sets up, on the clock, on chance or on their order prove nothing.
 * The files are put back. Never rejects for what the code does. `recorded`: what a run with the changed sources recorded already.
 */
export async function replayCalls(
  check: Check,
  asked: ReplayRequest,
  recorded?: Recording,
): Promise<ReplayResult> {
  const { request } = asked;
  if (asked.sources.length === 0 || asked.files?.length === 0) return nothing('no source was changed');
  const reason = cannotReplay(check, asked);
  const isRepeated = repeatedSources(asked);
  const now = await unlikeOutside(check, asked, reason === undefined ? isRepeated : noCalls, recorded);
  if (request.signal.aborted) return { ...now, tampering: [] };
  const odd = await describeOdd(check, now.odd, asked);
  if (odd !== undefined) return { ...now, tampering: [], narrow: odd };
  const fed = await describeFed(check, now.changing, asked);
  if (fed !== undefined) return { ...now, tampering: [], narrow: fed };
  if (reason !== undefined) return nothing(reason);
  const judging = judgingTexts([...now.unlike, ...now.alike], asked);
  const changes = joined(judging.map(({ file, text }) => changesOfTests(file, text)));
  if (asked.sources.some((source) => findsChanges(request.root, source, changes))) return nothing(SURROUNDED);
  if (judging.some(({ text }) => makesFiles(text)) && sourcesOutside(asked).length > 0)
    return nothing(SURROUNDED);
  if (now.unlike.length === 0) {
    const found = await findLapses(check, asked, now.alike, (readers) =>
      findNarrow(check, { ...asked, readers }, now),
    );
    return { ...now, tampering: found.tampering, narrow: found.beside };
  }
  const unlike = now.unlike.filter((call) => !dependsOnOthers(call, now, asked));
  if (unlike.length === 0) return { ...now, tampering: [], unknown: DEPENDENT };
  const before = await withBase(asked, () => unlikeOutside(check, asked, isRepeated));
  const known = new Set(before.unlike.map(keyOf));
  const added = unlike.filter((call) => !known.has(keyOf(call)));
  const bySource = Map.groupBy(added, ({ source }) => source);
  const tampering = [...bySource].map(([source, calls]) => differs(source, calls));
  return { ...now, tampering, unknown: added.length < now.unlike.length ? DEPENDENT : now.unknown };
}

/**
 * A sentence on what a change alters although no test was red: one for the type checker or the linter. `asked.files` are those of
 * tests that passed before. Undefined if there is none, or where calls cannot be repeated.
 */
export async function findChangedUnasked(check: Check, asked: ReplayRequest): Promise<string | undefined> {
  if (asked.sources.length === 0 || cannotReplay(check, asked) !== undefined) return undefined;
  const now = await unlikeOutside(check, asked, repeatedSources(asked));
  if (asked.request.signal.aborted || now.alike.length === 0) return undefined;
  const { findUnasked } = await import('../unasked/index.ts');
  return findUnasked(check, asked, { ...now, texts: textsOf(asked) });
}

/** Texts of the tests. */
function textsOf({ request: { root }, files, tested }: ReplayRequest): string[] {
  return (files ?? tested ?? []).map((file) => textOf(join(root, file)));
}

/** A sentence on calls that are right for the tests alone; undefined if there is none. */
async function findNarrow(check: Check, asked: ReplayRequest, outcome: Outcome): Promise<string | undefined> {
  const { alike, open } = outcome;
  const { findNarrowRepair } = await import('../tested-inputs/index.ts');
  const texts = textsOf(asked);
  const narrow =
    (await findNarrowRepair(alike, asked, repeatIn(check, asked), texts)) ??
    (await describeOpen(open, asked)) ??
    (await findUnpublished(check, asked, alike));
  if (narrow !== undefined) return narrow;
  const { findUnasked } = await import('../unasked/index.ts');
  return findUnasked(check, asked, { ...outcome, texts });
}

const DEPENDENT = 'their results depend on what other code of the tests does';

/** True for a call whose result may depend on calls that cannot be repeated, or on other code that the tests use. */
function dependsOnOthers(
  { source, args, realm }: RepeatableCall,
  { unrepeatable }: Outcome,
  { request: { root }, files, sources }: ReplayRequest,
): boolean {
  const isIncomplete = unrepeatable.some((call) => call.realm === realm) || args.includes('"o":');
  if (isIncomplete && mayHoldState(root, source)) return true;
  const others = (files ?? []).flatMap((file) => importedFiles(root, file));
  return mayBeSetUpBy(
    root,
    source,
    others.filter((path) => !sources.includes(path)),
  );
}

function nothing(unknown: string): ReplayResult {
  return { tampering: [], agreed: 0, unknown };
}

/** The reason why no call can be repeated; undefined if they can. */
function cannotReplay(
  { plan }: Check,
  { request: { root }, files = [], sources }: ReplayRequest,
): string | undefined {
  const textIn = (path: string): string => textOf(join(root, path));
  const configs = [...(plan.config === undefined ? [] : [plan.config]), posix.join(plan.cwd, 'package.json')];
  const settings = changesOfSettings({ configs, args: plan.args, textOf: textIn });
  if (sources.some((source) => findsChanges(root, source, settings)))
    return 'the runner is configured with an environment that the code may find';
  const changes = joined(files.map((file) => changesOfTests(file, textIn(file))));
  return sources.some((source) => findsChanges(root, source, changes)) ? SURROUNDED : undefined;
}

/** Tells whose calls are repeated: files that tests make are gone for code that reaches outside of the process. */
function repeatedSources(asked: ReplayRequest): (source: string) => boolean {
  const { request, files = [] } = asked;
  const left = files.some((file) => makesFiles(textOf(join(request.root, file))))
    ? sourcesOutside(asked)
    : [];
  return (source) => !left.includes(source);
}

function sourcesOutside({ request, sources }: ReplayRequest): string[] {
  return sources.filter((source) => reachesOutside(request.root, source));
}

const SURROUNDED = 'the tests change what the code finds';
