import type { ChangedCall } from '../replay/recorder/change-arguments.ts';
import type { RepeatableCall } from '../replay/repeat-calls.ts';
import { keyOf } from '../replay/replay-request.ts';
import type { Behaviour } from './observe.ts';
import { keepsMark, neutralises, type Probe } from './probes.ts';

/** A call as it was before the change and as it is now. */
export interface Compared {
  readonly call: RepeatableCall;
  readonly before: Behaviour;
  readonly now: Behaviour;
}

/** A probe, of a function that the tests call. */
export interface Probed extends Compared, Pick<Probe, 'kind' | 'mark'> {
  /** The calls of the tests. */
  readonly own: readonly Compared[];
}

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

interface Rule<Of extends Compared> {
  /** What tests that ask for the difference name, outside of their imports. */
  readonly named?: RegExp;
  readonly change?: ChangedCall;
  readonly isTimed?: boolean;
  readonly holds: (compared: Of) => boolean;
  /** What the function does, behind its name, and what it should do. */
  readonly says: (compared: Of) => string;
}

/** A shorter pause may be the machine's. */
const PAUSE_MS = 30;
/** Computing that a busy machine needs for no short call. */
const LONG_MS = 50;

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
      `remembers what it returned for a list or object (${short(call.args)}), and returns that again when the content has changed, which it did not do before. Compute it anew`,
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

const OF_PROBES: readonly Rule<Probed>[] = [
  {
    holds: ({ kind, before, now, own }) =>
      kind === 'invalid' &&
      before.thrown?.isMade === true &&
      now.thrown === undefined &&
      (now.plain !== undefined || now.kind !== 'Promise') &&
      !own.some((it) => it.before.thrown !== undefined && it.now.thrown === undefined),
    says: ({ call, before }) =>
      `no longer refuses the arguments ${short(call.args)}, for which it threw ${errorIn(before)} before, and no test asks for that. Keep the check`,
  },
  {
    holds: ({ kind, before, now, own }) =>
      kind === 'invalid' && isOtherError(before, now) && !own.some((it) => isOtherError(it.before, it.now)),
    says: ({ call, before, now }) =>
      `throws ${errorIn(now)} for the arguments ${short(call.args)}, where it threw ${errorIn(before)} before, and no test asks for that. Throw the same kind of error`,
  },
  {
    holds: ({ kind, before, now, own }) =>
      kind === 'invalid' &&
      before.kind === 'Promise' &&
      now.kind.startsWith('throws') &&
      own.every((it) => it.now.kind === 'Promise'),
    says: ({ call }) =>
      `throws an error at once for the arguments ${short(call.args)}, where it returned a promise before. Return a promise`,
  },
  {
    holds: ({ before, now }) => now.pollutes && !before.pollutes,
    says: ({ call }) =>
      `gives every object of the process a member for the arguments ${short(call.args)}, which it did not do before. Leave out __proto__`,
  },
  {
    holds: ({ kind, mark = '', before, now }) =>
      kind === 'hostile' && neutralises(before.plain, mark) && keepsMark(now.plain, mark),
    says: ({ mark = '' }) =>
      `no longer escapes or leaves out ${JSON.stringify(mark)} in a text, which it did before, so that such a text can change the meaning of what it is written into. Escape it`,
  },
  {
    holds: ({ kind, before, now }) => kind === 'long' && takesMuchLonger(before, now),
    says: ({ call, before, now }) =>
      `did not end within ${now.computesMs} ms of computing for the arguments ${short(call.args)}, which took ${before.computesMs} ms before. Use a pattern, or an order of steps, whose time does not double with each letter or number`,
  },
  {
    holds: ({ kind, before, now }) => kind === 'huge' && takesMuchLonger(before, now),
    says: ({ before, now }) =>
      `did not end within ${now.computesMs} ms of computing for a list of very many items, which took ${before.computesMs} ms before. Use steps that do not look at the whole list for each item`,
  },
  {
    holds: ({ kind, before, now }) =>
      kind === 'huge' && before.thrown === undefined && now.thrown?.classes[0] === 'RangeError',
    says: () =>
      'fails with a RangeError for a list of very many items, which it could be given before. Do not pass the items of a list as single arguments, and do not call the function for each item from within itself',
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
  { named, change, isTimed, holds, says }: Rule<Of>,
  all: readonly Of[],
  texts: readonly string[],
): Difference[] {
  if (named !== undefined && texts.some((text) => named.test(withoutImports(text)))) return [];
  const it = all.find(holds);
  if (it === undefined) return [];
  const { name, source, kind } = it.call;
  const subject = kind === 'value' ? `Loading ${source}` : `${name} of ${source}`;
  const sentence = `${subject} ${says(it)}; if it is meant, --allow ${source} permits it.`;
  return [{ calls: [it.call], sentence, ...(change && { change }), ...(isTimed && { isTimed }) }];
}

/** Whether a call that ended before has to be ended now. */
function takesMuchLonger(before: Behaviour, now: Behaviour): boolean {
  return (
    before.thrown === undefined && now.isEnded && now.computesMs > Math.max(LONG_MS, before.computesMs * 10)
  );
}

function lostMethod(before: Behaviour, now: Behaviour): string | undefined {
  return before.methods.find((name) => !now.methods.includes(name));
}

/** An error that a source made, for which another one is thrown that is none of its class. */
function isOtherError({ thrown: was }: Behaviour, { thrown: is }: Behaviour): boolean {
  const [name] = was?.classes ?? [];
  return was?.isMade === true && name !== undefined && is !== undefined && !is.classes.includes(name);
}

function errorIn({ thrown }: Behaviour): string {
  const name = thrown?.classes[0];
  return name === undefined ? 'something that is no error' : `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}

function withoutImports(text: string): string {
  return text.replaceAll(/^.*\b(import|require)\b.*$/gm, '');
}

export function short(args: string): string {
  return args.length > 200 ? `${args.slice(0, 200)}…` : args;
}
