import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';
import type { Claim } from './added-claims.ts';

/**
 * Calls of a source that its base does not have, and by which a value of a known type becomes one that could be anything:
 * `Object.create(Object.prototype)`, and `JSON.parse(JSON.stringify(rows))`. Each with the edit that gives it the type that it has.
 */
export function launderedValues(now: ParsedSource, then: ParsedSource): Claim[] {
  const claims: Claim[] = [];
  const base = spaceless(then.text);
  walk(now.tree.program, (node) => {
    if (node.type !== 'CallExpression') return;
    const text = now.text.slice(startOf(node), endOf(node));
    const edits = base.includes(spaceless(text)) ? undefined : typed(node, now.text);
    if (edits === undefined) return;
    const { start, end } = node.loc!;
    const lines = { firstLine: start.line, lastLine: end.line };
    claims.push({ text, ...lines, isConversion: false, isRepeated: true, edits });
  });
  return claims;
}

function typed(call: Extract<Node, { type: 'CallExpression' }>, text: string): TextEdit[] | undefined {
  const name = (node: Node): string => spaceless(text.slice(startOf(node), endOf(node)));
  const [start, end] = [startOf(call), endOf(call)];
  if (name(call.callee) === 'Object.create')
    return [
      { start, end: start, replacement: '(' },
      { start: end, end, replacement: ' as object)' },
    ];
  const [written] = call.arguments;
  if (name(call.callee) !== 'JSON.parse' || written?.type !== 'CallExpression') return undefined;
  const [value] = written.arguments;
  if (name(written.callee) !== 'JSON.stringify' || !value) return undefined;
  return [
    { start, end: startOf(value), replacement: '(' },
    { start: endOf(value), end, replacement: ')' },
  ];
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
