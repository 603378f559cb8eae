import { printable } from '../platform/text/printable.ts';
import { boundBytes, fairShare, fenced, type FencedText } from './bounded-data.ts';

/** Minimum bytes per file; shorter excerpts are useless. */
const MIN_BYTES = 300;

/**
 * Fences a unified diff in at most `limit` bytes. The limit is shared among the files: small diffs stay whole and large
 * ones are cut, so that a rewritten lockfile does not displace a one-line change. `cut` counts the files left out.
 */
export function fencedPatch(
  patch: string,
  limit: number,
): { readonly patch: FencedText; readonly cut: number } {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== '');
  const shown = parts.slice(0, Math.max(1, Math.floor(limit / MIN_BYTES))).map(printable);
  const share = fairShare(
    shown.map((part) => Buffer.byteLength(part)),
    limit - shown.length,
  );
  const text = shown.map((part) => boundBytes(part, share).replace(/\n*$/, '\n')).join('');
  return { patch: fenced(text, limit), cut: parts.length - shown.length };
}
