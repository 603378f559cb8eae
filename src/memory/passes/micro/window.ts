import { oneLine } from '../common/one-line.ts';
import type { MicroEntry } from './entries.ts';
import { ENTRY_CHARS, MICRO_LIMITS, type MicroLimits } from './triggers.ts';

/** What one look takes in. */
export interface MicroWindow {
  /** Oldest first. */
  readonly entries: readonly MicroEntry[];
  /** Entries that did not fit, all of them older. */
  readonly left: number;
}

/**
 * The newest entries that fit: chosen newest first, the first that does not fit ends the choice, and then in the
 * order in which they happened. Each is one line of at most 240 characters.
 */
export function selectEntries(entries: readonly MicroEntry[], limits: MicroLimits): MicroWindow {
  const lines = normalise(entries);
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

/** The oldest entries: those that a look at the end of the loop could not take in. */
export function outgrown(entries: readonly MicroEntry[]): MicroEntry[] {
  const { left } = selectEntries(entries, MICRO_LIMITS.loop_stopped);
  return normalise(entries).slice(0, left);
}

/** Entries as one line each, in their order; those without a word are left out. */
export function normalise(entries: readonly MicroEntry[]): MicroEntry[] {
  return entries
    .map((entry) => ({ ...entry, text: oneLine(entry.text, ENTRY_CHARS) }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.position - b.position);
}

/** `- checks: failed, reward 0.500 (+0.000)`. */
export function renderEntry({ author, text }: MicroEntry): string {
  return `- ${author}: ${text}`;
}

/** What quotes may be taken from: everything but the actor's own words. */
export function groundsOf({ entries }: MicroWindow): string[] {
  return entries.filter(({ author }) => author !== 'actor').map(({ text }) => text);
}
