import { oneLine } from '../../../platform/text/one-line.ts';
import type { MicroEntry } from './entries.ts';
import { ENTRY_CHARS, MICRO_LIMITS, type MicroLimits } from './settings.ts';

/** The entries that one micro-reflection reads. */
export interface MicroWindow {
  /** Oldest first. */
  readonly entries: readonly MicroEntry[];
  /** Number of older entries that did not fit. */
  readonly left: number;
}

/**
 * The newest entries within the limits, in chronological order: selected from the newest back, up to the first that
 * does not fit.
 */
export function selectEntries(entries: readonly MicroEntry[], limits: MicroLimits): MicroWindow {
  const lines = normaliseEntries(entries);
  const chosen: MicroEntry[] = [];
  let chars = 0;
  for (const entry of lines.toReversed()) {
    const next = chars + renderEntry(entry).length + (chosen.length > 0 ? 1 : 0);
    if (chosen.length >= limits.entries || next > limits.chars) break;
    chosen.push(entry);
    chars = next;
  }
  return { entries: chosen.reverse(), left: lines.length - chosen.length };
}

/** The oldest entries, which the window at the loop's end would not include. */
export function outgrownEntries(entries: readonly MicroEntry[]): MicroEntry[] {
  const { left } = selectEntries(entries, MICRO_LIMITS.loop_stopped);
  return normaliseEntries(entries).slice(0, left);
}

/** Entries in chronological order, each one line of at most 240 characters; empty ones are left out. */
export function normaliseEntries(entries: readonly MicroEntry[]): MicroEntry[] {
  return entries
    .map((entry) => ({ ...entry, text: oneLine(entry.text, ENTRY_CHARS) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.position - b.position);
}

/** `- checks: failed, reward 0.500 (+0.000)`. */
export function renderEntry({ author, text }: MicroEntry): string {
  return `- ${author}: ${text}`;
}

/** Texts that quotes may be taken from: all entries except the actor's own statements. */
export function groundsOf({ entries }: MicroWindow): string[] {
  return entries.filter(({ author }) => author !== 'actor').map(({ text }) => text);
}
