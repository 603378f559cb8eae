import { parse, type ParserOptions } from '@babel/parser';
import type { Node } from '@babel/types';
import { type TextEdit, editedRange } from './edit.ts';
import { parserOptions, type ParsedSource } from './parse.ts';
import { functionOf, isFunction, isLoop, isStatement, nearest, type Site } from './walk.ts';

/**
 * Creates a check whether the file with the edits applied parses with no more errors than before. For speed
 * (thousands of checks per second), only the smallest statement around the edits is parsed, in a similar context.
 */
export function createSyntaxCheck(parsed: ParsedSource): (site: Site, edits: readonly TextEdit[]) => boolean {
  const { file, text } = parsed;
  const options = parserOptions(file, text);
  const known = new Map<Node, number | undefined>();
  const isSoundWithin = (statement: Site, edits: readonly TextEdit[]): boolean => {
    const { node } = statement;
    const range = { start: node.start!, end: node.end! };
    const inside = surroundings(statement);
    if (!known.has(node)) known.set(node, countErrors(inside(text.slice(range.start, range.end)), options));
    const before = known.get(node);
    const after = countErrors(inside(editedRange(text, edits, range)), options);
    return after !== undefined && (before === undefined || after <= before);
  };
  return (site, edits) => {
    const statement = statementAround(site, edits);
    return statement === undefined ? isSoundAsFile(parsed, edits) : isSoundWithin(statement, edits);
  };
}

const PRIVATE_NAME = 'InvalidPrivateFieldResolution';

function isSoundAsFile({ file, text, errors }: ParsedSource, edits: readonly TextEdit[]): boolean {
  const after = countErrors(
    editedRange(text, edits, { start: 0, end: text.length }),
    parserOptions(file, text),
  );
  return after !== undefined && after <= errors.length;
}

/** The smallest statement with the edits strictly inside; an edit at its edge may affect its surroundings. */
function statementAround(site: Site, edits: readonly TextEdit[]): Site | undefined {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  return nearest(
    site,
    (node) =>
      (isStatement(node) && node.start! < start && end < node.end!) ||
      (node.type === 'Program' && node.start! <= start && end <= node.end!),
  );
}

/**
 * Number of errors that the parser recovered from; undefined if it could not recover. A private name without its class around
 * it is none.
 */
function countErrors(text: string, options: ParserOptions): number | undefined {
  try {
    return (parse(text, options).errors ?? []).filter(({ reasonCode }) => reasonCode !== PRIVATE_NAME).length;
  } catch {
    return undefined;
  }
}

/** Puts a statement into a function of the same kind, a loop and its labels, so that `await` and jumps stay valid. */
function surroundings(statement: Site): (text: string) => string {
  const { node, parent } = statement;
  if (parent === undefined || /^Export/.test(node.type)) return (text) => text;
  const owner = functionOf(parent);
  const jumps = nearest(
    parent,
    (around) => isLoop(around) || isFunction(around) || around.type === 'SwitchStatement',
  );
  const inLoop = jumps !== undefined && !isFunction(jumps.node);
  const labels = labelsAround(statement).map((label) => `${label}: `);
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
