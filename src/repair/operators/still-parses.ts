import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import type { TextEdit } from './operator.ts';
import { parserOptions, type ParsedSource } from '../syntax/parse.ts';
import { editedRange } from './signature.ts';
import { functionOf, isFunction, isLoop, isStatement, nearest, type Site } from '../syntax/walk.ts';

/**
 * Tells whether the file still parses with the edits in place and no error more than before. Only the
 * smallest statement that holds them is parsed, in surroundings like its own: thousands a second.
 */
export function createSyntaxCheck(parsed: ParsedSource): (site: Site, edits: readonly TextEdit[]) => boolean {
  const { file, text } = parsed;
  const known = new Map<Node, number | undefined>();
  const isSoundIn = (holder: Site, edits: readonly TextEdit[]): boolean => {
    const { node } = holder;
    const range = { start: node.start!, end: node.end! };
    const inside = surroundings(holder);
    if (!known.has(node)) known.set(node, countErrors(file, inside(text.slice(range.start, range.end))));
    const before = known.get(node);
    const after = countErrors(file, inside(editedRange(text, edits, range)));
    return after !== undefined && (before === undefined || after <= before);
  };
  return (site, edits) => {
    const holder = holderOf(site, edits);
    return holder === undefined ? isSoundAlone(parsed, edits) : isSoundIn(holder, edits);
  };
}

function isSoundAlone({ file, text, errors }: ParsedSource, edits: readonly TextEdit[]): boolean {
  const after = countErrors(file, editedRange(text, edits, { start: 0, end: text.length }));
  return after !== undefined && after <= errors.length;
}

/** The smallest statement that the edits are well inside of: at its edge they may belong to what is around. */
function holderOf(site: Site, edits: readonly TextEdit[]): Site | undefined {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  return nearest(
    site,
    (node) =>
      (isStatement(node) && node.start! < start && end < node.end!) ||
      (node.type === 'Program' && node.start! <= start && end <= node.end!),
  );
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
  const { node, parent } = holder;
  if (parent === undefined || /^Export/.test(node.type)) return (text) => text;
  const owner = functionOf(parent);
  const jumps = nearest(
    parent,
    (around) => isLoop(around) || isFunction(around) || around.type === 'SwitchStatement',
  );
  const inLoop = jumps !== undefined && !isFunction(jumps.node);
  const labels = labelsAround(holder).map((label) => `${label}: `);
  const [open, close] = inLoop ? [`${labels.join('')}for (;;) {`, '}'] : ['', ''];
  if (owner === undefined) return (text) => `${open}${text}\n${close}`;
  const { async: isAsync, generator } = owner.node as { async?: boolean; generator?: boolean };
  const head = `${isAsync ? 'async ' : ''}function${generator ? '*' : ''} f()`;
  return (text) => `${head} { ${open}${text}\n${close} }`;
}

function labelsAround(site: Site): string[] {
  const labels: string[] = [];
  for (let at = site.parent; at !== undefined; at = at.parent) {
    if (at.node.type === 'LabeledStatement') labels.push(at.node.label.name);
  }
  return labels;
}
