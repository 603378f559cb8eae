import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';

interface At {
  /** Text of the named line, or of the whole file. */
  readonly text: string;
}

/** A flag that a regular expression has already, or is said to lack. */
export function wrongFlag(sentence: string): string | undefined {
  const [, code, flags = ''] = /`(\/(?:[^/`\\]|\\.)+\/([dgimsuvy]*))`/.exec(sentence) ?? [];
  if (code === undefined) return undefined;
  const [, added] = /\badd (?:the |a )?(?:flag `?([dgimsuvy])\b|`?([dgimsuvy])`? flag)/i.exec(sentence) ?? [];
  if (added !== undefined && flags.includes(added)) return `${code} has the flag ${added}.`;
  const isOnce = /\b(?:only|just) (?:the )?(?:first|one)\b|\bnot global\b|\bmake .* global\b/i.test(sentence);
  return isOnce && flags.includes('g') ? `${code} matches more than once.` : undefined;
}

/** A call that is to come before another one, as it does. */
export function orderedAlready(sentence: string, places: readonly At[]): string | undefined {
  const [, first, second] =
    /\b(?:call|apply|run|use|do|move) `?\.?([\w$]+)(?:\(\))?`? (?:before|in front of) `?\.?([\w$]+)(?:\(\))?`?/i.exec(
      sentence,
    ) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const chained = new RegExp(
    String.raw`\.${escapeRegExp(first)}\([^)]*\)(?:\.[\w$]+\([^)]*\))*\.${escapeRegExp(second)}\(`,
  );
  return places.some(({ text }) => chained.test(text))
    ? `${first} comes before ${second} already.`
    : undefined;
}
