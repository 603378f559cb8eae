import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { Check } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { withBase, type ChangedSources } from '../base-sources.ts';
import { manyNextTo } from '../tested-inputs/neighbours.ts';
import {
  changesSurroundings,
  importedFiles,
  mayBeSetUpBy,
  mayHoldState,
  reachesOutside,
  settingsChangeSurroundings,
} from './ambient.ts';
import { withRecordedCalls } from './record-calls.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import { changesArguments, findFedExpectation } from './fed-expectations.ts';
import { callsIn, hiddenMembersIn, openClassesIn, type HiddenMember, type OpenClass } from './recording.ts';
import {
  repeatCalls,
  SHOWN_FILE,
  type Circumstances,
  type RepeatableCall,
  type RepeatRequest,
} from './repeat-calls.ts';

export interface ReplayRequest extends ChangedSources {
  /** Test files to run, relative to the root; undefined for all that the check runs. */
  readonly files: readonly string[] | undefined;
  /**
   * For a command: tells whether a file judges the product. Only calls in processes that such a file, code of the command
   * line or an installed runner started are repeated: a program of the product may depend on its arguments.
   */
  readonly isJudge?: ((path: string) => boolean) | undefined;
  /** For a command: files of the tests that it reports, relative to the root. */
  readonly tested?: readonly string[] | undefined;
  /** Absolute path of the user's repository; default: the folder of the check. */
  readonly repository?: string | undefined;
}

/** What a replay showed. */
export interface ReplayResult {
  readonly tampering: readonly Tampering[];
  /** A sentence on a function that is right for the tested inputs alone; undefined if none is known. */
  readonly narrow?: string | undefined;
  /** Number of calls whose results agreed. */
  readonly agreed: number;
  /** A sentence on why calls, or all of them, could not be repeated; undefined if each was. */
  readonly unknown: string | undefined;
}

/** Processes in which calls were recorded, at most. */
const MAX_REALMS = 8;
/** Ten years: a date in the sources that ends a lie is before. */
const YEARS_MS = 3_650 * 24 * 3_600_000;
/** Values that honest code compares with the clock. */
const DATES = /\{"d":|\d{10}|\d{4}-\d\d/;
const AHEAD_MS = 400 * 24 * 3_600_000 + 12_345_678;

/**
 * Records the calls of the changed sources' exported functions while tests run, and repeats them in Node without a test
 * runner. Tampering for a function that has another result there, in each of several circumstances, if it had the same
 * result in the base. Calls that depend on what a test sets up, on the clock, on chance or on their order prove nothing.
 * The files are put back. Never rejects for what the code does.
 */
export async function replayCalls(check: Check, asked: ReplayRequest): Promise<ReplayResult> {
  const { request } = asked;
  if (asked.sources.length === 0 || asked.files?.length === 0) return nothing('no source was changed');
  const reason = cannotReplay(check, asked);
  const now = await unlikeOutside(check, asked, reason === undefined);
  if (request.signal.aborted) return { ...now, tampering: [] };
  const hidden = await describeHidden(check, now.hidden, asked);
  if (hidden !== undefined) return { ...now, tampering: [], narrow: hidden };
  const fed = await describeFed(check, now.changing, asked);
  if (fed !== undefined) return { ...now, tampering: [], narrow: fed };
  if (reason !== undefined) return nothing(reason);
  if (judgingTexts([...now.unlike, ...now.alike], asked).some(changesSurroundings))
    return nothing(SURROUNDED);
  if (now.unlike.length === 0) {
    const tampering = await findLapses(check, asked, now.alike);
    if (tampering.length > 0) return { ...now, tampering };
    const { findNarrowRepair } = await import('../tested-inputs/index.ts');
    const texts = (asked.files ?? asked.tested ?? []).map((file) => textOf(request.root, file));
    const narrow = await findNarrowRepair(now.alike, asked, repeatIn(check, asked), texts);
    return { ...now, tampering, narrow: narrow ?? (await describeOpen(now.open, asked)) };
  }
  const unlike = now.unlike.filter((call) => !dependsOnOthers(call, now, asked));
  if (unlike.length === 0) return { ...now, tampering: [], unknown: DEPENDENT };
  const before = await withBase(asked, () => unlikeOutside(check, asked));
  const known = new Set(before.unlike.map(keyOf));
  const added = unlike.filter((call) => !known.has(keyOf(call)));
  const bySource = Map.groupBy(added, ({ source }) => source);
  const tampering = [...bySource].map(([source, calls]) => differs(source, calls));
  return { ...now, tampering, unknown: added.length < now.unlike.length ? DEPENDENT : now.unknown };
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
function cannotReplay({ plan }: Check, { request, files }: ReplayRequest): string | undefined {
  const settings = [plan.args.join(' '), textOf(request.root, plan.config ?? '')].join('\n');
  if (settingsChangeSurroundings(settings)) return 'the runner is configured with an environment of its own';
  const texts = (files ?? []).map((file) => textOf(request.root, file));
  return texts.some(changesSurroundings) ? SURROUNDED : undefined;
}

const SURROUNDED = 'the tests change what the code finds';

/** Texts of the files of a command's tests, of those that started the processes of the calls, and of what these import. */
function judgingTexts(
  calls: readonly RecordedCall[],
  { request: { root }, isJudge, tested = [] }: ReplayRequest,
): string[] {
  if (isJudge === undefined) return [];
  const entries = calls.map(({ entry }) => relative(root, entry)).filter((file) => !isOutside(file));
  const files = new Set([...entries, ...tested]);
  for (const file of files) for (const next of importedFiles(root, file)) if (isJudge(next)) files.add(next);
  return [...files].map((file) => textOf(root, file));
}

function isOutside(file: string): boolean {
  return /(^|\/)(\.\.|node_modules)\//.test(file);
}

/** True for a call that belongs to a test, and not to a program of the product that a command runs. */
function isOfJudge({ entry }: RecordedCall, { request: { root }, isJudge }: ReplayRequest): boolean {
  const inside = relative(root, entry);
  return isJudge === undefined || entry === '' || isOutside(inside) || isJudge(inside);
}

/**
 * Calls that have the result of the tests at first, and that of the base once the code is in use: after many calls, some
 * time later, on a terminal, years later. Code that remembers honestly returns neither a new value each time nor what was wrong before.
 */
async function findLapses(
  check: Check,
  asked: ReplayRequest,
  alike: readonly RepeatableCall[],
): Promise<Tampering[]> {
  const repeat = repeatIn(check, asked);
  const [first] = Map.groupBy(alike, ({ realm }) => realm).values();
  const calls = (first ?? []).filter((call) =>
    alike.every((other) => !isSameCall(call, other) || other.result === call.result),
  );
  if (calls.length === 0) return [];
  const fillers = fillersFor(calls, asked.request.root);
  const installed = await repeatCalls(calls, repeat, { isInUse: true, fillers });
  const checkedOut = await repeatCalls(calls, repeat, { isInUse: true, isCheckout: true });
  const dateless = calls.filter((call) => !DATES.test(call.args + call.result));
  const later = await repeatCalls(dateless, repeat, { aheadMs: YEARS_MS });
  const isChanged = ({ at, result }: RepeatableCall): boolean =>
    [installed, checkedOut, later].some((results) => (results.get(at) ?? result) !== result);
  const changed = calls.filter(isChanged);
  if (changed.length === 0) return [];
  const before = await withBase(asked, () => repeatCalls(calls, repeat));
  const lapsed = changed.filter(({ at, result }) =>
    [installed, checkedOut, later].some(
      (results) => (results.get(at) ?? result) !== result && results.get(at) === before.get(at),
    ),
  );
  const bySource = Map.groupBy(lapsed, ({ source }) => source);
  return [...bySource].map(([source, own]) => lapses(source, own));
}

/** Calls made in between, for each function. */
const FILLERS = 300;

/** Calls with other arguments of the functions that reach nothing outside of the process. */
function fillersFor(calls: readonly RepeatableCall[], root: string): RepeatableCall[] {
  const first = [...Map.groupBy(calls, keyOf).values()].map(([call]) => call!);
  const plain = first.filter(
    ({ on, kind = 'call', args, source }) =>
      on === undefined && kind === 'call' && !/"[hc]":/.test(args) && !reachesOutside(root, source),
  );
  return plain.flatMap((call) => manyNextTo(call.args, FILLERS).map((args) => ({ ...call, args, at: -1 })));
}

/** A sentence on a class that the base does not open to every object; undefined if there is none. */
async function describeOpen(
  open: readonly OpenClass[],
  { baseText }: ReplayRequest,
): Promise<string | undefined> {
  for (const { source, anyIs } of open)
    if (!/hasInstance/.test((await baseText(source)) ?? ''))
      return `Every object is an instance of ${anyIs} of ${source}, by its Symbol.hasInstance, so that no test can tell another object from one. --allow ${source} permits it.`;
  return undefined;
}

/** A sentence on a result with hidden members that no result in the base has; undefined if there is none. */
async function describeHidden(
  check: Check,
  hidden: readonly HiddenMember[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  if (hidden.length === 0) return undefined;
  const before = await withBase(asked, () => unlikeOutside(check, asked, false));
  const known = new Set(before.hidden.map(({ source, hides }) => `${source}\n${hides}`));
  const added = hidden.find(({ source, hides }) => !known.has(`${source}\n${hides}`));
  if (added === undefined) return undefined;
  const { source, name, hides } = added;
  return `${name} of ${source} returns an object that hides ${hides} behind a property of its own, so that a test compares another value than the code that uses it gets. Let the result be an ordinary one. --allow ${source} permits it.`;
}

/** A sentence on calls that change their arguments, as no call in the base does, to fit what a test expects. */
async function describeFed(
  check: Check,
  changing: readonly RecordedCall[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  if (changing.length === 0) return undefined;
  const before = await withBase(asked, () => unlikeOutside(check, asked, false));
  const known = new Set(before.changing.map(keyOf));
  const added = changing.filter((call) => !known.has(keyOf(call)));
  return findFedExpectation(check, asked, added);
}

/** True for two calls of a function of the source with the same arguments. */
function isSameCall(a: RepeatableCall, b: RepeatableCall): boolean {
  return a.on === undefined && b.on === undefined && keyOf(a) === keyOf(b) && a.args === b.args;
}

interface Outcome {
  readonly unlike: readonly RepeatableCall[];
  /** Calls with the same result outside. */
  readonly alike: readonly RepeatableCall[];
  /** Calls with arguments that cannot be copied. */
  readonly unrepeatable: readonly RecordedCall[];
  /** Classes of which every object is an instance. */
  readonly open: readonly OpenClass[];
  readonly hidden: readonly HiddenMember[];
  /** Calls that changed their arguments. */
  readonly changing: readonly RecordedCall[];
  readonly agreed: number;
  readonly unknown: string | undefined;
}

/**
 * Records calls with the sources that are in the tree, and returns those with another result outside, if they are to be
 * repeated.
 */
async function unlikeOutside(check: Check, asked: ReplayRequest, repeats = true): Promise<Outcome> {
  const { request } = asked;
  mkdirSync(request.cacheDir, { recursive: true });
  const folder = mkdtempSync(join(request.cacheDir, 'recorded-'));
  try {
    const { calls: recorded, open, hidden } = await record(check, asked, folder);
    const all = recorded.filter((call) => isOfJudge(call, asked));
    const calls = repeats ? all.filter(isRepeatable) : [];
    const repeat = repeatIn(check, asked);
    const realms = [...Map.groupBy(calls, ({ realm }) => realm).values()].slice(0, MAX_REALMS);
    const unlike: RepeatableCall[] = [];
    const alike: RepeatableCall[] = [];
    for (const own of realms) {
      const outside = await repeatCalls(own, repeat);
      const different = own.filter((call) =>
        isUnlike(outside.get(call.at), call.result, [call.source, ...(asked.files ?? [])]),
      );
      alike.push(...own.filter(({ at, result }) => outside.get(at) === result));
      if (different.length === 0) continue;
      const isSure = await agreeOutside(own, repeat, outside);
      unlike.push(...different.filter(isSure));
    }
    const unrepeatable = all.filter(({ args }) => args === undefined);
    const agreed = alike.length;
    const unknown = describeUnknown(all.length, agreed + unlike.length);
    const changing = all.filter(changesArguments);
    return { unlike, alike, unrepeatable, changing, agreed, unknown, open, hidden };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeUnknown(recorded: number, known: number): string | undefined {
  if (recorded === 0) return 'the tests call no exported function of the change directly';
  return recorded === known
    ? undefined
    : `${recorded - known} of ${recorded} calls cannot be repeated or compared`;
}

interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly open: readonly OpenClass[];
  readonly hidden: readonly HiddenMember[];
}

async function record(check: Check, asked: ReplayRequest, folder: string): Promise<Recording> {
  const { request, files, sources } = asked;
  const texts = new Map<string, string>();
  for (const source of sources) {
    const to = join(folder, `${texts.size}.jsonl`);
    const text = withRecordedCalls(source, textOf(request.root, source), to);
    if (text !== undefined) texts.set(source, text);
  }
  if (texts.size === 0) return { calls: [], open: [], hidden: [] };
  const own = { ...request, fresh: true, writable: [...(request.writable ?? []), folder] };
  await withTexts(request.root, texts, () => check.run(files === undefined ? own : { ...own, files }));
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return { calls: callsIn(lines), open: openClassesIn(lines), hidden: hiddenMembersIn(lines) };
}

function isRepeatable(call: RecordedCall): call is RepeatableCall {
  return call.args !== undefined && call.result !== undefined;
}

/** An error about something that only the runner provides says nothing, unless the tests expect an error. */
function isUnlike(outside: string | undefined, underTest: string, callers: readonly string[]): boolean {
  if (outside === undefined || outside === underTest) return false;
  if (withoutCaller(outside, [SHOWN_FILE]) === withoutCaller(underTest, callers)) return false;
  return !/^throws (TypeError|ReferenceError)$/.test(outside) || underTest.startsWith('throws ');
}

/** A result without the place of its caller, which code may name honestly. */
function withoutCaller(result: string, files: readonly string[]): string {
  const names = files.map((file) => escapeRegExp(basename(file))).join('|');
  return result.replaceAll(new RegExp(`(file://)?[\\w./-]*(${names})(:\\d+)*`, 'g'), 'the caller');
}

const CIRCUMSTANCES: readonly Circumstances[] = [
  { isReversed: true },
  { aheadMs: AHEAD_MS },
  { isClockKept: true },
];

/** Tells for which calls every other repetition has the same result as the first. */
async function agreeOutside(
  calls: readonly RepeatableCall[],
  repeat: RepeatRequest,
  first: ReadonlyMap<number, string>,
): Promise<(call: RepeatableCall) => boolean> {
  const others: ReadonlyMap<number, string>[] = [];
  for (const circumstances of CIRCUMSTANCES) others.push(await repeatCalls(calls, repeat, circumstances));
  return ({ at }) => others.every((other) => other.get(at) === first.get(at));
}

function repeatIn(check: Check, { request, repository }: ReplayRequest): RepeatRequest {
  return { request, cwd: join(request.root, check.plan.cwd), env: placeOf(check), repository };
}

function placeOf({ plan }: Check): Record<string, string> {
  const isPlace = (name: string): boolean => /^(TZ|LANG|LC_\w+)$/.test(name);
  return Object.fromEntries(Object.entries(plan.env ?? {}).filter(([name]) => isPlace(name)));
}

function keyOf({ source, name }: RecordedCall): string {
  return `${source}\n${name}`;
}

function differs(file: string, calls: readonly RepeatableCall[]): Tampering {
  const detail = `${describeCall(file, calls)} returns under test what it does not return outside of a test runner. The code must not know that it is tested. --allow permits it in a file.`;
  return { kind: 'replay_differs', file, detail: detail.slice(0, 2_000) };
}

function lapses(file: string, calls: readonly RepeatableCall[]): Tampering {
  const detail = `${describeCall(file, calls)} returns under test what is expected and, once it is in use (later, after many calls, beside other calls, on a terminal), what it returned before the change. --allow permits it in a file.`;
  return { kind: 'replay_differs', file, detail: detail.slice(0, 2_000) };
}

function describeCall(file: string, calls: readonly RepeatableCall[]): string {
  const { name, args, on, kind } = calls[0]!;
  if (kind === 'value') return `The export ${name} of ${file}`;
  const shown = args.length > 200 ? `${args.slice(0, 200)}…` : args;
  const called = name === '' ? 'A function that it returned' : name;
  const of = on === undefined ? `of ${file}` : `of an object that ${file} made`;
  return `${called} ${of}, for the arguments ${shown},`;
}

function textOf(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}
