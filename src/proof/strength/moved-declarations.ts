import { posix } from 'node:path';
import { wordsOf } from './changed-words.ts';
import type { ChangedBlock } from './changed-blocks.ts';
import { baseOf, type ChangedSource } from './changed-source.ts';

/** Fewest words of a declaration that tell it from others. */
const MIN_WORDS = 5;
const LOADS =
  /^\s*(?:import\s+[^'"]+\sfrom\s*|(?:const|let|var)\s+(?:[\w$]+|\{[^{}=]*\})\s*=\s*require\s*\(\s*)(['"])(\.[^'"]*)\1\s*\)?\s*;?\s*$/;
/** What stands around the value of a declaration, in its old place and in its new one. */
const AROUND =
  /^\s*(?:export\s+)?(?:(?:const|let|var)\s+[\w$]+(?:\s*:[^=]+)?\s*=|(?=(?:async\s+)?function\b|class\b))/;

/**
 * Tells of the blocks of a source whether they only take a declaration out, which stands word for word in a new file of the change,
 * and load that file in its place: nobody can tell one from the other.
 */
export function movedOut(
  sources: readonly ChangedSource[],
): (source: ChangedSource, block: ChangedBlock) => boolean {
  const added = new Map(
    sources
      .filter((source) => baseOf(source).trim() === '')
      .map(({ file, parsed }) => [stemOf(file), inWords(parsed.text)]),
  );
  return ({ file, parsed }, { before, line, lines }) => {
    const now = parsed.text
      .split('\n')
      .slice(line - 1, line - 1 + lines)
      .filter((it) => it.trim() !== '');
    const loaded = now.map((it) => LOADS.exec(it)?.[2]);
    if (added.size === 0 || loaded.length === 0 || loaded.includes(undefined)) return false;
    const value = before.join('\n').replace(AROUND, '').replace(/;\s*$/, '');
    if (wordsOf(value).length < MIN_WORDS) return false;
    const texts = loaded.map((name) => added.get(stemOf(posix.join(posix.dirname(file), name!))));
    return texts.some((text) => text?.includes(inWords(value)) === true);
  };
}

function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

/** The words of a text between blanks, so that a part of a word is not found in it. */
function inWords(text: string): string {
  return ` ${wordsOf(text)
    .map(({ text: word }) => word)
    .join(' ')} `;
}
