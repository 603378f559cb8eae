import type { Span } from './spans.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Lines of base64 after the first one, in a file, a JSON text or a diff. */
const BODY = /(?:(?:[\s"',]|\\[nr]|^[+-]){0,8}[A-Za-z0-9+/=]{20,})*/my;

/** Longest private key that is found, in characters. */
export const LONGEST_KEY = 16_384;

/** Finds private keys in PEM and PGP armour; of an incomplete key, the part that exists. */
export function findPrivateKeys(text: string): Span[] {
  if (!text.includes('PRIVATE KEY')) return [];
  return [...text.matchAll(BEGIN)].flatMap((match) => {
    const from = match.index + match[0].length;
    const end = endOf(text, from);
    return end === from ? [] : [{ start: match.index, end }];
  });
}

/** True if a private key begins in the text whose last line is missing or incomplete. */
export function hasOpenKey(text: string): boolean {
  const last = text.lastIndexOf('-----BEGIN ');
  const end = last === -1 ? -1 : text.indexOf('-----END ', last);
  return last !== -1 && (end === -1 || !text.includes('\n', end));
}

function endOf(text: string, from: number): number {
  END.lastIndex = from;
  const end = END.exec(text);
  const isNear =
    end !== null && end.index - from < LONGEST_KEY && !text.slice(from, end.index).includes('-----BEGIN');
  if (isNear) return end.index + end[0].length;
  BODY.lastIndex = from;
  return from + (BODY.exec(text)?.[0].length ?? 0);
}
