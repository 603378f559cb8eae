import type { Coded } from '../tested-inputs/neighbours.ts';
import type { Compared } from './rule.ts';

/**
 * Whether a call throws an error that tells something else than the one that a source threw for it before. Where the statement
 * that throws it is as it was, it tells a value that is computed otherwise.
 */
export function tellsOtherwise({ before, now, keepsErrors }: Compared): boolean {
  const [was, is] = [before.thrown, now.thrown];
  if (keepsErrors === true || was?.isMade !== true || was.tells === undefined || is?.tells === undefined)
    return false;
  return was.tells !== is.tells;
}

/** Whether a test has a word of the new error that neither the old one nor the arguments have. */
export function isErrorAsked({ call, before, now }: Compared, texts: readonly string[]): boolean {
  const known = wordsIn(`${before.thrown?.tells} ${call.args}`);
  const added = [...wordsIn(now.thrown?.tells ?? '')].filter((word) => !known.has(word));
  return texts.some((text) => /snapshot/i.test(text) || added.some((word) => wordsIn(text).has(word)));
}

/** What the error is now, in place of what it was. */
export function describeOtherError({ before, now }: Compared): string {
  const [was, is] = [before, now].map(({ thrown }) => membersOf(thrown!.tells!));
  const message = [was, is].map((it) => JSON.stringify(it!.get('message')).slice(0, 100));
  if (message[0] !== message[1])
    return `throws an error with the message ${message[1]} where it had the message ${message[0]} before`;
  const names = [...was!.keys(), ...is!.keys()];
  const name = names.find((it) => JSON.stringify(was!.get(it)) !== JSON.stringify(is!.get(it)));
  return `throws an error with another ${name ?? 'order of its properties'} than before`;
}

function membersOf(tells: string): Map<string, Coded> {
  return new Map((JSON.parse(tells) as { o: [string, Coded][] }).o);
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/\p{L}{3,}/gu) ?? []);
}

/**
 * Whether a source threw, for a call of the tests that passes now, an error of the same kind as for another call: its message
 * has other words only where it has words of the arguments.
 */
export function isLaxerByTest(refused: Compared, own: readonly Compared[]): boolean {
  const pattern = patternOf(refused);
  return own.some(
    (it) => it.before.thrown !== undefined && it.now.thrown === undefined && patternOf(it) === pattern,
  );
}

function patternOf({ call, before: { thrown } }: Compared): string {
  const { tells } = thrown!;
  const message = tells === undefined ? '' : String(membersOf(tells).get('message'));
  const given = wordsOf(call.args);
  return message.replaceAll(WORD, (word) => (given.has(word) || /\d/.test(word) ? '_' : word));
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.match(WORD));
}
