import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { nearest, sitesOf } from '../../repair/syntax/walk.ts';
import { revertOf, type ChangedSource } from './changed-source.ts';
import { differences, MAX_WORDS, wordsOf, type Word } from './changed-words.ts';

const QUOTED = /^['"`]/;
const NUMBER = /^\d/;

/**
 * For each text or number that a change puts in the place of another, in a block with other changes, the edit that puts the old
 * one back: the address of a needed call, the strength of a needed key. Messages of errors are left out.
 */
export function exchangedLiterals(source: ChangedSource): TextEdit[] {
  const { parsed, blocks } = source;
  const literals = new Map<number, number>();
  for (const site of sitesOf(parsed.tree.program)) {
    const { node } = site;
    const isText = node.type === 'TemplateLiteral' && node.expressions.length === 0;
    if (!isText && !/^(?:String|Numeric)Literal$/.test(node.type)) continue;
    const isMessage = nearest(site, ({ type }) => type === 'ThrowStatement' || type === 'NewExpression');
    if (isMessage?.node.type === 'ThrowStatement' || isError(isMessage?.node)) continue;
    literals.set(startOf(node), endOf(node));
  }
  return blocks.flatMap((block) => {
    if (block.lines === 0 || block.before.length === 0) return [];
    const { start, end, replacement } = revertOf(source, block);
    const [was, now] = [wordsOf(replacement), wordsOf(parsed.text.slice(start, end))];
    if (was.length > MAX_WORDS || now.length > MAX_WORDS) return [];
    return differences(was, now).flatMap(([from, to, wasFrom, wasTo]) =>
      pairsOf(was.slice(wasFrom, wasTo), now.slice(from, to)).flatMap(([old, own]) =>
        literals.get(start + own.at) === start + own.end
          ? [{ start: start + own.at, end: start + own.end, replacement: old.text }]
          : [],
      ),
    );
  });
}

function isError(node: unknown): boolean {
  const callee = (node as { readonly callee?: { readonly name?: string } } | undefined)?.callee;
  return /Error$/.test(callee?.name ?? '');
}

/** Literals that stand in the place of as many literals of the same kind, and nothing else does. */
function pairsOf(was: readonly Word[], now: readonly Word[]): [Word, Word][] {
  if (was.length !== now.length) return [];
  const pairs = now.map((word, at): [Word, Word] => [was[at]!, word]);
  const isLiteral = ([old, own]: [Word, Word]): boolean =>
    [QUOTED, NUMBER].some((kind) => kind.test(old.text) && kind.test(own.text));
  return pairs.every(isLiteral) ? pairs.filter(([old, own]) => valueOf(old) !== valueOf(own)) : [];
}

/** The text between whatever quotes. */
function valueOf({ text }: Word): string {
  return QUOTED.test(text) ? text.slice(1, -1) : text;
}
