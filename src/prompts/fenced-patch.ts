import { printable } from '../platform/text/printable.ts';
import { boundBytes, fairShare, fenced, type FencedText } from './bounded-data.ts';

/** Less of a file's diff than this says nothing. */
const LEAST_BYTES = 300;

/**
 * A unified diff in at most `limit` bytes. Its files share the room: small parts stay whole and large ones are
 * cut, so that a rewritten lockfile does not hide the one line that matters. `cut` is how many files are left out.
 */
export function fencedPatch(
  patch: string,
  limit: number,
): { readonly patch: FencedText; readonly cut: number } {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== '');
  const shown = parts.slice(0, Math.max(1, Math.floor(limit / LEAST_BYTES))).map(printable);
  const share = fairShare(
    shown.map((part) => Buffer.byteLength(part)),
    limit - shown.length,
  );
  const text = shown.map((part) => boundBytes(part, share).replace(/\n*$/, '\n')).join('');
  return { patch: fenced(text, limit), cut: parts.length - shown.length };
}
