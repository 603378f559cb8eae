import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import type { TextEdit } from './operators/operator.ts';
import { parserOptions, type ParsedSource } from './parse.ts';
import { editedRange } from './signature.ts';
import { functionOf, isStatement, nearest, type Site } from './walk.ts';

/**
 * Tells whether the file still parses with the edits in place and no error more than before. Only the
 * smallest statement that holds them is parsed, in surroundings like its own: thousands a second.
 */
export function createSyntaxCheck(parsed: ParsedSource): (site: Site, edits: readonly TextEdit[]) => boolean {
  const { file, text } = parsed;
  const known = new Map<Node, number | undefined>();
  return (site, edits) => {
    const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
    const holder = nearest(
      site,
      (node) => (isStatement(node) || node.type === 'Program') && node.start! <= start && end <= node.end!,
    );
    if (holder === undefined)
      return (
        countErrors(file, editedRange(text, edits, { start: 0, end: text.length })) === parsed.errors.length
      );
    const { node } = holder;
    const range = { start: node.start!, end: node.end! };
    const inside = surroundings(holder);
    if (!known.has(node)) known.set(node, countErrors(file, inside(text.slice(range.start, range.end))));
    const before = known.get(node);
    const after = countErrors(file, inside(editedRange(text, edits, range)));
    return after !== undefined && (before === undefined || after <= before);
  };
}

/** Errors that the parser got over; absent when it could not. */
function countErrors(file: string, text: string): number | undefined {
  try {
    return (parse(text, parserOptions(file)).errors ?? []).length;
  } catch {
    return undefined;
  }
}

/** A statement set into a function of the same sort, a loop and the labels that its jumps may name. */
function surroundings(holder: Site): (text: string) => string {
  if (holder.node.type === 'Program' || /^Export/.test(holder.node.type)) return (text) => text;
  const owner = holder.parent && functionOf(holder.parent);
  if (owner === undefined) return (text) => text;
  const { async: isAsync, generator } = owner.node as { async?: boolean; generator?: boolean };
  const head = `${isAsync ? 'async ' : ''}function${generator ? '*' : ''} f()`;
  const labels = labelsAround(holder)
    .map((label) => `${label}: `)
    .join('');
  const loop = nearest(
    holder.parent!,
    (node) => /^(For|While|DoWhile|Switch)/.test(node.type) || node === owner.node,
  );
  const inLoop = loop !== undefined && loop.node !== owner.node;
  return inLoop ? (text) => `${head} { ${labels}for (;;) { ${text}\n} }` : (text) => `${head} { ${text}\n}`;
}

function labelsAround(site: Site): string[] {
  const labels: string[] = [];
  for (let at = site.parent; at !== undefined; at = at.parent) {
    if (at.node.type === 'LabeledStatement') labels.push(at.node.label.name);
  }
  return labels;
}
