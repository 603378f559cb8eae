import { shownArguments, shownResult } from '../replay/shown-values.ts';
import type { Behaviour } from './behaviour.ts';
import { isLaxerByTest } from './other-errors.ts';
import { HOSTILE, keepsMark, neutralises } from './probes.ts';
import { errorIn, type Probed, type Rule } from './rule.ts';

/** Computing that a busy machine needs for no short call. */
const LONG_MS = 50;

/** What a call that no test makes may not do, if it did not so before. */
export const OF_PROBES: readonly Rule<Probed>[] = [
  {
    holds: (it) =>
      isOdd(it) &&
      it.before.thrown?.isMade === true &&
      it.now.thrown === undefined &&
      (it.now.plain !== undefined || it.now.kind !== 'Promise') &&
      !isLaxerByTest(it, it.own),
    says: ({ call, before }) =>
      `no longer refuses the arguments ${shownArguments(call)}, for which it threw ${errorIn(before)} before, and no test asks for that. Keep the check`,
  },
  {
    holds: (it) =>
      isOdd(it) && isOtherError(it.before, it.now) && !it.own.some((of) => isOtherError(of.before, of.now)),
    says: ({ call, before, now }) =>
      `throws ${errorIn(now)} for the arguments ${shownArguments(call)}, where it threw ${errorIn(before)} before, and no test asks for that. Throw the same kind of error`,
  },
  {
    holds: (it) =>
      isOdd(it) &&
      it.before.kind === 'Promise' &&
      it.now.kind.startsWith('throws') &&
      it.own.every(({ now }) => now.kind === 'Promise'),
    says: ({ call }) =>
      `throws an error at once for the arguments ${shownArguments(call)}, where it returned a promise before. Return a promise`,
  },
  {
    holds: ({ before, now }) => now.pollutes && !before.pollutes,
    says: ({ call }) =>
      `gives every object of the process a member for the arguments ${shownArguments(call)}, which it did not do before. Leave out __proto__`,
  },
  {
    holds: (it) =>
      (it.kind === 'plain' || it.kind === 'hostile') && crashes(it) && !it.own.some(({ now }) => fails(now)),
    says: ({ call, before, now }) =>
      `fails with ${errorIn(now)} of the language for the arguments ${shownArguments(call)}, for which it returned ${shownResult(before.plain!)} before. Handle them`,
  },
  {
    holds: ({ kind, mark = '', before, now }) =>
      kind === 'hostile' &&
      !HOSTILE.includes(mark) &&
      neutralises(before.plain, mark) &&
      keepsMark(now.plain, mark),
    says: ({ mark = '' }) =>
      `keeps ${JSON.stringify(mark)} in a text, in place of which it had something else before, and no test asks for that. Treat it as before`,
  },
  {
    holds: ({ kind, mark = '', before, now }) =>
      kind === 'hostile' &&
      HOSTILE.includes(mark) &&
      neutralises(before.plain, mark) &&
      keepsMark(now.plain, mark),
    says: ({ mark = '' }) =>
      `no longer escapes or leaves out ${JSON.stringify(mark)} in a text, which it did before, so that such a text can change the meaning of what it is written into. Escape it`,
  },
  {
    holds: ({ kind, before, now }) => (kind === 'long' || kind === 'near') && takesMuchLonger(before, now),
    says: ({ call, before, now }) =>
      `did not end within ${now.computesMs} ms of computing for the arguments ${shownArguments(call)}, which took ${before.computesMs} ms before. Use a pattern, or an order of steps, whose time does not double with each letter or number`,
  },
  {
    isTimed: true,
    holds: ({ kind, before, now }) => kind === 'large' && takesMuchLonger(before, now),
    says: ({ call, before, now }) =>
      `did not end within ${now.computesMs} ms of computing for the large arguments ${shownArguments(call)}, which took ${before.computesMs} ms before. Use steps that do not look at a whole list each time`,
  },
  {
    holds: ({ kind, before, now }) =>
      kind === 'large' &&
      before.thrown === undefined &&
      now.thrown?.classes[0] === 'RangeError' &&
      fails(now),
    says: ({ call }) =>
      `fails with a RangeError for the large arguments ${shownArguments(call)}, which it could be given before. Do not pass the items of a list as single arguments, and do not call the function for each item from within itself`,
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

/** Whether the arguments are such as a caller passes by mistake. */
function isOdd({ kind }: Probed): boolean {
  return kind === 'invalid' || kind === 'plain';
}

/** Whether an operation of the language fails. */
function fails({ thrown, isEnded }: Behaviour): boolean {
  const [name = ''] = thrown?.classes ?? [];
  return thrown?.isMade === false && !isEnded && /^(Type|Reference|Range|Syntax)Error$/.test(name);
}

/** Whether a call fails for which there was a value. */
function crashes({ before, now }: Probed): boolean {
  const was = before.plain;
  const isValue = was !== undefined && !/^(null|\{"u":1\}|\{"n":"NaN"\})$|undefined|NaN/.test(was);
  return isValue && before.thrown === undefined && fails(now);
}

/** Whether a call that ended before has to be ended now. */
function takesMuchLonger(before: Behaviour, now: Behaviour): boolean {
  return (
    before.thrown === undefined && now.isEnded && now.computesMs > Math.max(LONG_MS, before.computesMs * 10)
  );
}

/** An error that a source made, for which another one is thrown that is none of its class. */
function isOtherError({ thrown: was }: Behaviour, { thrown: is }: Behaviour): boolean {
  const [name] = was?.classes ?? [];
  return was?.isMade === true && name !== undefined && is !== undefined && !is.classes.includes(name);
}
