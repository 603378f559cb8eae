import { basename } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { Check } from '../../ports.ts';
import { changesArguments } from './fed-expectations.ts';
import { isOfJudge } from './judging-texts.ts';
import { recordedRun } from './recorded-run.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import type { OddResult, OpenClass, Recording } from './recording.ts';
import {
  repeatCalls,
  SHOWN_FILE,
  type Circumstances,
  type RepeatableCall,
  type RepeatRequest,
} from './repeat-calls.ts';
import { repeatIn, type ReplayRequest } from './replay-request.ts';
import { withWholeHistories } from './whole-histories.ts';

/** Processes in which calls were recorded, at most. */
const MAX_REALMS = 8;
const AHEAD_MS = 400 * 24 * 3_600_000 + 12_345_678;

/** Calls of no source are repeated. */
export const noCalls = (): boolean => false;

/** What the calls of a run showed. */
export interface Outcome {
  readonly unlike: readonly RepeatableCall[];
  /** Calls with the same result outside, whose objects are made by such calls alone. */
  readonly alike: readonly RepeatableCall[];
  /** Calls with arguments that cannot be copied. */
  readonly unrepeatable: readonly RecordedCall[];
  /** Calls with arguments that can be copied and results that cannot be compared. */
  readonly uncompared: readonly RecordedCall[];
  /** Classes of which every object is an instance. */
  readonly open: readonly OpenClass[];
  readonly odd: readonly OddResult[];
  /** All calls. */
  readonly all: readonly RecordedCall[];
  /** Calls that changed their arguments. */
  readonly changing: readonly RecordedCall[];
  readonly agreed: number;
  readonly unknown: string | undefined;
}

/**
 * Records calls with the sources that are in the tree, and returns those with another result outside, of the sources whose
 * calls are to be repeated. `known`: what a run with these sources recorded already.
 */
export async function unlikeOutside(
  check: Check,
  asked: ReplayRequest,
  isRepeated: (source: string) => boolean = () => true,
  known?: Recording,
): Promise<Outcome> {
  const { calls: recorded, open, odd } = known ?? (await recordedRun(check, asked)).recording;
  const all = recorded.filter((call) => isOfJudge(call, asked));
  const own = all.filter(({ source }) => isRepeated(source));
  const calls = own.filter(isRepeatable);
  const repeat = repeatIn(check, asked);
  const realms = [...Map.groupBy(calls, ({ realm }) => realm).values()].slice(0, MAX_REALMS);
  const unlike: RepeatableCall[] = [];
  const alike: RepeatableCall[] = [];
  let agreed = 0;
  for (const realm of realms) {
    const outside = await repeatCalls(realm, repeat);
    const different = realm.filter((call) =>
      isUnlike(outside.get(call.at), call.result, [call.source, ...(asked.files ?? [])]),
    );
    agreed += realm.filter(({ at, result }) => outside.get(at) === result).length;
    alike.push(...withWholeHistories(realm, ({ at, result }) => outside.get(at) === result));
    if (different.length === 0) continue;
    const isSure = await agreeOutside(realm, repeat, outside);
    unlike.push(...different.filter(isSure));
  }
  const unrepeatable = all.filter(({ args }) => args === undefined);
  const uncompared = own.filter(({ args, result }) => args !== undefined && result === undefined);
  const unknown = describeUnknown(all.length, agreed + unlike.length);
  const changing = all.filter(changesArguments);
  return { unlike, alike, unrepeatable, uncompared, all, changing, agreed, unknown, open, odd };
}

function describeUnknown(recorded: number, known: number): string | undefined {
  if (recorded === 0) return 'the tests call no exported function of the change directly';
  return recorded === known
    ? undefined
    : `${recorded - known} of ${recorded} calls cannot be repeated or compared`;
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
