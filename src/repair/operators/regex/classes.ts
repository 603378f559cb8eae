import type { RegexPart } from '../../syntax/regex-syntax.ts';
import type { Changed } from './quantifiers.ts';

/** Other texts for a character class: without a member, with a shifted range, with one member more. */
export function* changedClasses(
  { text, members }: RegexPart,
  characters: readonly string[],
): Generator<Changed> {
  const open = text.startsWith('[^') ? '[^' : '[';
  const classOf = (changed: readonly string[]): string => `${open}${changed.join('')}]`;
  for (const [index, member] of members.entries()) {
    if (members.length > 1) {
      yield [classOf(members.filter((_, other) => other !== index)), 0.5];
      yield [classOf(members.filter((other) => other !== member)), 0.5];
    }
    for (const range of shiftedRanges(member)) yield [classOf(members.with(index, range)), 0.7];
  }
  for (const character of [...characters, '\\w', '\\d', '\\s', 'A-Z', 'a-z', '0-9', '_']) {
    if (!members.includes(character)) {
      yield [classOf([...members, character === '-' ? '\\-' : character]), 0.6];
    }
  }
}

/** Ranges with one bound moved by one character; empty for members that are no range of letters or digits. */
function shiftedRanges(member: string): string[] {
  const [, from, to] = /^([0-9a-zA-Z])-([0-9a-zA-Z])$/.exec(member) ?? [];
  if (from === undefined || to === undefined) return [];
  const moved = (character: string, by: number): string => String.fromCharCode(character.charCodeAt(0) + by);
  const pairs: readonly (readonly [string, string])[] = [
    [moved(from, -1), to],
    [moved(from, 1), to],
    [from, moved(to, 1)],
    [from, moved(to, -1)],
  ];
  return pairs.filter(([a, b]) => /^\w\w$/.test(a + b) && a <= b).map(([a, b]) => `${a}-${b}`);
}
