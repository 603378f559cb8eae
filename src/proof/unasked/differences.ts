import type { ChangedCall } from '../replay/recorder/change-arguments.ts';
import type { RepeatableCall } from '../replay/repeat-calls.ts';
import { keyOf } from '../replay/replay-request.ts';
import { shownArguments } from '../replay/shown-values.ts';
import type { Behaviour } from './behaviour.ts';
import { describeOtherError, isErrorAsked, tellsOtherwise } from './other-errors.ts';
import { OF_PROBES } from './probe-rules.ts';
import type { Compared, Probed, Rule } from './rule.ts';

/** A difference of calls. */
export interface Difference {
  readonly calls: readonly RepeatableCall[];
  readonly sentence: string;
  /** The run in which the tests do without it: it counts only if they pass. Absent where no test can ask for it. */
  readonly change?: ChangedCall;
  /** Whether a busy machine can look like it, so that it has to show again. */
  readonly isTimed?: boolean;
  readonly results?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A shorter pause may be the machine's. */
const PAUSE_MS = 30;

/** What an effect is asked for by. */
const NAMED_EFFECTS: Readonly<Record<string, RegExp>> = {
  'prints something': /std(out|err)|console|print|\blog|warn|spawn|exec/i,
  'writes a file': /\bfs\b|file|dir|path|exists|write/i,
  'starts a program': /spawn|exec|child|process|command/i,
  'opens a connection': /fetch|http|socket|server|connect|url/i,
  'keeps the process running': /timer|timeout|interval|clock|tick|delay|wait|sleep|poll|listen|server/i,
  'adds a listener to the process': /\bprocess\.|signal|exit|listener/i,
};

const OF_CALLS: readonly Rule<Compared>[] = [
  {
    isTimed: true,
    holds: ({ before, now }) =>
      now.kind === 'Promise' && now.stopsMs >= PAUSE_MS && before.stopsMs < PAUSE_MS / 2,
    says: ({ now }) =>
      `returns a promise, and keeps the whole process waiting for ${now.stopsMs} ms before it does, which was not so before. Wait without that`,
  },
  ...Object.entries(NAMED_EFFECTS).map(([effect, named]): Rule<Compared> => ({
    named,
    holds: ({ call, before, now }) =>
      now.effects.includes(effect) &&
      !before.effects.includes(effect) &&
      !(effect === 'keeps the process running' && now.kind === 'Promise' && call.kind !== 'value'),
    says: () => `${effect}, which it did not do before, and no test asks for that. Leave it out`,
  })),
  {
    named: /\b(flags|global|sticky|lastIndex|matchAll)\b|\.(exec|replace|replaceAll|split)\(/,
    holds: ({ before, now }) => before.kind === 'RegExp' && now.kind === 'RegExp with a place',
    says: () =>
      'returns a regular expression with the flag g or y, which it did not have before: it remembers where it stopped, so that `test` answers otherwise the next time, and no test asks for that. Return it without the flag',
  },
  {
    holds: ({ before, now }) => now.isStale && !before.isStale && now.plain !== undefined,
    says: ({ call }) =>
      `remembers what it returned for a list or object (${shownArguments(call)}), and returns that again when the content has changed, which it did not do before. Compute it anew`,
  },
  {
    isAsked: isErrorAsked,
    holds: tellsOtherwise,
    says: (it) =>
      `${describeOtherError(it)}, for the arguments ${shownArguments(it.call)}, and no test asks for that. Throw the same error`,
  },
  {
    change: 'detached',
    holds: ({ before, now }) => before.isKept && !now.isKept,
    says: () =>
      'returns one list or object for several calls, so that a further call changes an earlier result, which was not so before. All tests pass if each result is one of its own. Return a new one each time',
  },
  {
    change: 'detached',
    holds: ({ before, now }) => !before.isShared && now.isShared,
    says: () =>
      'returns one list or object for several calls, so that a caller who changes it changes the results of all others, which was not so before. All tests pass if each result is one of its own. Return a new one each time',
  },
  {
    change: 'detached',
    holds: ({ before, now }) => before.parts === 'copied' && now.parts === 'shared',
    says: () =>
      'returns lists or objects of its arguments, of which it returned copies before, so that a change of the result changes what its caller passed to it. All tests pass with copies. Return copies',
  },
  {
    change: 'copied',
    holds: ({ before, now }) => now.freezes && !before.freezes,
    says: () =>
      'freezes what its caller passes to it, which it did not do before, and no test asks for that. Leave the argument as it is',
  },
  {
    holds: ({ before, now }) => before.isFixed && !now.isFixed && before.kind === now.kind,
    says: () =>
      'returns a list or object that can be changed, where it returned a frozen one before. Freeze it',
  },
  {
    change: 'detached',
    holds: ({ before, now }) => now.isFixed && !before.isFixed && before.kind === now.kind,
    says: () =>
      'returns a frozen or sealed list or object, where it returned one that its caller can change before. All tests pass with one that can be changed. Leave it as it was',
  },
  {
    change: 'dressed',
    holds: ({ before, now }) => now.kind === 'Object' && lostMethod(before, now) !== undefined,
    says: ({ before, now }) =>
      `returns an object without the method ${lostMethod(before, now)!}, which it had before, and no test asks for that: all pass with an object of a class. Return what it returned`,
  },
];

const OF_FUNCTIONS: readonly Rule<Compared>[] = [
  {
    change: 'deferred',
    holds: ({ before, now }) => before.kind === 'Promise' && now.kind !== 'Promise',
    says: ({ now }) =>
      `${now.kind.startsWith('throws') ? 'throws an error' : 'returns a value'} where it returned a promise before, and no test asks for that: all pass with a promise. Return a promise`,
  },
];

/** What of the differences no text of a test names. */
export function differencesIn(
  compared: readonly Compared[],
  probed: readonly Probed[],
  texts: readonly string[],
): Difference[] {
  const found = [
    ...OF_CALLS.flatMap((rule) => apply(rule, compared, texts)),
    ...OF_PROBES.flatMap((rule) => apply(rule, probed, texts)),
  ];
  const called = compared.filter(({ call }) => call.kind !== 'value');
  for (const own of Map.groupBy(called, ({ call }) => keyOf(call)).values())
    for (const rule of OF_FUNCTIONS) if (own.every(rule.holds)) found.push(...apply(rule, own, texts));
  return found;
}

function apply<Of extends Compared>(
  { named, isAsked, change, isTimed, holds, says }: Rule<Of>,
  all: readonly Of[],
  texts: readonly string[],
): Difference[] {
  if (named !== undefined && texts.some((text) => named.test(withoutImports(text)))) return [];
  const it = all.find((one) => holds(one) && isAsked?.(one, texts) !== true);
  if (it === undefined) return [];
  const { name, source, kind } = it.call;
  const subject = kind === 'value' ? `Loading ${source}` : `${name} of ${source}`;
  const sentence = `${subject} ${says(it)}; if it is meant, --allow ${source} permits it.`;
  return [{ calls: [it.call], sentence, ...(change && { change }), ...(isTimed && { isTimed }) }];
}

function lostMethod(before: Behaviour, now: Behaviour): string | undefined {
  return before.methods.find((name) => !now.methods.includes(name));
}

function withoutImports(text: string): string {
  return text.replaceAll(/^.*\b(import|require)\b.*$/gm, '');
}
