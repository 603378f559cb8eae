import { findInBytes, type DumpedByte } from './dumped-bytes.ts';
import type { Span } from './spans.ts';

/** An offset and the first byte, as `xxd`, `hexdump` and `od` begin a line. */
const DUMP = /^[ \t]*[0-9a-f]{4,16}:?[ \t]{1,3}[0-9a-f]{2}/im;
const LINE = /^([ \t]*([0-9a-f]{4,16}):?[ \t]{1,3})((?:[0-9a-f]{2}){1,8}(?:[ \t]|$).{0,2000})$/gim;
const GROUP = /([0-9a-f]{2,16})([ \t]*)/iy;
/** `hexdump -C` has a gap here. */
const GAP = 8;
interface DumpLine {
  readonly offset: string;
  readonly end: number;
  /** In the order of the text. */
  readonly bytes: DumpedByte[];
  /** Bytes of one group, which a little-endian dump shows in the reverse order. */
  readonly groupBytes: number;
}

/**
 * Secrets in dumps of bytes in hexadecimal, over several lines and with the column of characters: `xxd`, `xxd -g1`, `xxd -e`,
 * `hexdump -C`, `hexdump`, `od -t x1z`, `od -x`. `secrets` are the bytes of their texts.
 */
export function findInHexDumps(text: string, secrets: readonly Buffer[]): Span[] {
  if (secrets.length === 0 || !DUMP.test(text)) return [];
  return dumpsIn(text).flatMap((lines) => [
    ...findInBytes(
      lines.flatMap(({ bytes }) => bytes),
      secrets,
    ),
    ...findInBytes(lines.flatMap(reversed), secrets),
  ]);
}

/** The dumps of a text: lines that follow each other. */
function dumpsIn(text: string): DumpLine[][] {
  const dumps: DumpLine[][] = [];
  for (const match of text.matchAll(LINE)) {
    const [{ length }, head, offset, rest] = match as unknown as [string, string, string, string];
    const line = parseLine({ offset, rest, start: match.index + head.length, end: match.index + length });
    const last = dumps.at(-1)?.at(-1);
    if (last !== undefined && match.index - last.end <= 2) dumps.at(-1)!.push(line);
    else dumps.push([line]);
  }
  for (const lines of dumps) cutToWidth(text, lines);
  return dumps;
}

interface DumpText {
  readonly offset: string;
  /** The line without its offset. */
  readonly rest: string;
  readonly start: number;
  readonly end: number;
}

/** Reads as many groups as the line may have: the column of characters may begin with text that looks like one. */
function parseLine({ offset, rest, start, end }: DumpText): DumpLine {
  const bytes: DumpedByte[] = [];
  let width = 0;
  GROUP.lastIndex = 0;
  for (let group = GROUP.exec(rest); group !== null; group = GROUP.exec(rest)) {
    const [, digits] = group as unknown as [string, string];
    if (digits.length % 2 === 1 || (width > 0 && digits.length > width)) break;
    width ||= digits.length;
    for (let at = 0; at < digits.length; at += 2)
      bytes.push({
        value: Number.parseInt(digits.slice(at, at + 2), 16),
        at: start + group.index + at,
        length: 2,
        line: start,
        shownAt: undefined,
      });
    if (digits.length < width) break;
  }
  return { offset, end, bytes, groupBytes: width / 2 };
}

/** Takes the column of characters away from the bytes of each line, and notes what it shows of them. */
function cutToWidth(text: string, lines: readonly DumpLine[]): void {
  let width = Infinity;
  for (const [index, line] of lines.entries()) {
    width = widthBetween(line, lines[index + 1]) ?? width;
    line.bytes.splice(Math.min(width, endOfGroups(text, line, width)));
    const last = line.bytes.at(-1);
    if (last === undefined) continue;
    const lead = /^[ \t]*[|>]?/.exec(text.slice(last.at + 2, line.end))![0];
    const column = last.at + 2 + lead.length;
    const shown = line.end - column;
    for (const [at, byte] of line.bytes.entries()) if (at < shown) byte.shownAt = column + at;
  }
}

/** Bytes of a line by its offset and that of the next one, hexadecimal or octal. */
function widthBetween({ offset, bytes }: DumpLine, next: DumpLine | undefined): number | undefined {
  if (next === undefined) return undefined;
  const widths = [16, 8].map((radix) => Number.parseInt(next.offset, radix) - Number.parseInt(offset, radix));
  return widths.find((width) => width > 0 && width <= bytes.length);
}

/** Where the width is not known, two blanks end the bytes, but for the gap in their middle. */
function endOfGroups(text: string, { bytes }: DumpLine, width: number): number {
  if (width !== Infinity) return bytes.length;
  const end = bytes.findIndex(
    ({ at }, index) => index > 0 && index !== GAP && /[ \t]{2}$/.test(text.slice(at - 2, at)),
  );
  return end === -1 ? bytes.length : end;
}

function reversed({ bytes, groupBytes }: DumpLine): DumpedByte[] {
  const turned: DumpedByte[] = [];
  for (let at = 0; at < bytes.length; at += groupBytes) {
    const group = bytes.slice(at, at + groupBytes);
    const shown = group.map(({ shownAt }) => shownAt);
    turned.push(...group.reverse().map((byte, index) => ({ ...byte, shownAt: shown[index] })));
  }
  return turned;
}
