import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { isLoneBody, nearest, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { addedIn, isGuard, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import { isPlain } from './innocent-questions.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

const COMPARISON = /^(?:[<>]=?|[!=]==?)$/;
const RANGE = /^[<>]=?$/;
const MATCH = /^(?:test|exec|match|matchAll|search)$/;
/** Smaller numbers stand in the code of everybody. */
const SMALLEST = 2;

type Range = readonly [start: number, end: number];

/**
 * The conditions that a change adds, each with the edit that takes it out: on a number or a pattern that the file did not have,
 * and beside what the base asks; also the catching of errors. Guards, which only leave their function, are none unless they leave it
 * with a value that somebody chose.
 */
export function addedConditions(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const edits = new Map(conditionsIn(source).map((edit) => [JSON.stringify(edit), edit]));
    return [...edits.values()].flatMap((edit) => partOf(source, edit) ?? []);
  });
}

function conditionsIn(source: ChangedSource): TextEdit[] {
  const { parsed, blocks } = source;
  const { text } = parsed;
  const before = blocks.map((block) => block.before.join('\n')).join('\n');
  const isAdded = addedIn(source);
  const bounds = newBounds(source);
  const isBounded = (node: Node): boolean =>
    bounds.some(([start, end]) => startOf(node) <= start && end <= endOf(node));
  return sitesOf(parsed.tree.program).flatMap((site): TextEdit[] => {
    const { node } = site;
    if (!isAdded(node) || nearest(site, (it) => isGuard(it) && !answers(it)) !== undefined) return [];
    const keep = (part: Node): TextEdit => keptPart(node, part, text);
    switch (node.type) {
      case 'IfStatement':
        if (!isBounded(node.test)) return [];
        return isGuard(site.node)
          ? [{ start: startOf(node), end: endOf(node), replacement: isLoneBody(site) ? '{}' : '' }]
          : [keep(node.consequent)];
      case 'TryStatement':
        return uncaught(site, text);
      case 'ConditionalExpression':
        return isBounded(node.test) && !isTable(node) ? [keep(node.consequent), keep(node.alternate)] : [];
      case 'LogicalExpression': {
        const own = operandOfBase(node, text, before);
        return [
          ...(isBounded(node.right) ? [keep(node.left)] : []),
          ...(isBounded(node.left) ? [keep(node.right)] : []),
          ...(own === undefined ? [] : [keep(own)]),
        ];
      }
      default:
        return [];
    }
  });
}

/** One part of an expression or a statement in place of it. */
function keptPart(node: Node, part: Node, text: string): TextEdit {
  const own = text.slice(startOf(part), endOf(part));
  const replacement = node.type === 'IfStatement' ? own : `(${own})`;
  return { start: startOf(node), end: endOf(node), replacement };
}

/** Whether a guard returns a text or a number that is not as good as none. */
function answers(node: Node): boolean {
  return sitesOf(node).some(({ node: own }) => {
    if (own.type !== 'ReturnStatement' || !own.argument) return false;
    return /^(?:String|Numeric|Template)Literal$/.test(own.argument.type) && !isPlain(own.argument);
  });
}

/** Values for ranges of a number, such as `n < 10 ? 'low' : 'high'`. */
function isTable(node: Node): boolean {
  if (node.type !== 'ConditionalExpression') return false;
  if (node.test.type !== 'BinaryExpression' || !RANGE.test(node.test.operator)) return false;
  return [node.consequent, node.alternate].every((it) => it.type.endsWith('Literal') || isTable(it));
}

/** Comparisons with a number, and matches of a pattern, that the file did not have. */
function newBounds({ parsed, blocks }: ChangedSource): Range[] {
  const isChanged = (line: number): boolean =>
    blocks.some((it) => it.line <= line && line < it.line + it.lines);
  const unchanged = parsed.text.split('\n').filter((_, at) => !isChanged(at + 1));
  const known = [...unchanged, ...blocks.flatMap(({ before }) => before)].join('\n');
  // A number by which something is divided or multiplied is no bound.
  const numbers = new Set(
    known.match(/(?<![\w$.]|[*%] ?|[^/]\/ ?)\d[\d_.]*/g)?.map((it) => Number(it.replaceAll('_', ''))),
  );
  const isNew = (node: Node): boolean => {
    if (node.type === 'NumericLiteral') return node.value >= SMALLEST && !numbers.has(node.value);
    return node.type === 'RegExpLiteral' && !known.includes(node.pattern);
  };
  return sitesOf(parsed.tree.program).flatMap(({ node }) =>
    isChanged(node.loc!.start.line) && boundsOf(node).some(isNew) ? [[startOf(node), endOf(node)]] : [],
  );
}

function boundsOf(node: Node): Node[] {
  if (node.type === 'BinaryExpression') return COMPARISON.test(node.operator) ? [node.left, node.right] : [];
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return [];
  const { callee } = node;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return [];
  const isMatch = callee.property.type === 'Identifier' && MATCH.test(callee.property.name);
  return isMatch ? [callee.object, ...node.arguments] : [];
}

/** The edit that no longer catches errors, unless the handler throws another one. */
function uncaught(site: Site, text: string): TextEdit[] {
  const { node } = site;
  if (node.type !== 'TryStatement' || !node.handler || isLoneBody(site)) return [];
  if (node.handler.body.body.at(-1)?.type === 'ThrowStatement') return [];
  const parts = [node.block, ...(node.finalizer ? [node.finalizer] : [])];
  const replacement = parts.map((it) => text.slice(startOf(it), endOf(it))).join('\n');
  return [{ start: startOf(node), end: endOf(node), replacement }];
}

const NEUTRAL = /^(?:''|""|``|\[\]|\{\}|\(\{\}\)|0|null|undefined|false)$/;

/**
 * The operand that the base has alone, where the change adds another one: `n < times` in `n < times && n === 1`. Checks
 * whether there is a value, and empty values in place of a missing one, are what a careful author adds without a test.
 */
function operandOfBase(node: Node, text: string, base: string): Node | undefined {
  if (node.type !== 'LogicalExpression' || node.operator === '??') return undefined;
  const { left, right, operator } = node;
  const textOf = (part: Node): string => text.slice(startOf(part), endOf(part));
  // A name alone stands anywhere.
  const isOfBase = (part: Node): boolean =>
    !(operator === '&&' && part.type === 'Identifier') && holds(base, textOf(part));
  const isCareful = (part: Node): boolean =>
    operator === '&&' ? asksForValue(part) : NEUTRAL.test(textOf(part).replaceAll(/\s+/g, ''));
  // An operand that is written in another way is no further one.
  const isFurther = (part: Node): boolean =>
    !isOfBase(part) && !isCareful(part) && !isRewritten(base, textOf(left), operator, textOf(right));
  if (isOfBase(left) && isFurther(right)) return left;
  return operator === '&&' && isOfBase(right) && isFurther(left) ? right : undefined;
}

/** Whether one operand is that of the base, and the other one begins as the base's in its place does. */
function isRewritten(base: string, left: string, operator: string, right: string): boolean {
  const [text, first, second] = [base, left, right].map((it) => it.replaceAll(/\s+/g, '')) as [
    ...[string, string, string],
  ];
  const startsLike = (own: string, known: string): boolean => known.startsWith(own.slice(0, own.length / 2));
  const after = text.split(`${first}${operator}`).slice(1);
  const before = text.split(`${operator}${second}`).slice(0, -1);
  return (
    after.some((it) => startsLike(second, it)) ||
    before.some((it) => startsLike(first, it.slice(-first.length)))
  );
}

function asksForValue(node: Node): boolean {
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression':
    case 'OptionalMemberExpression':
    case 'CallExpression':
    case 'OptionalCallExpression':
      return true;
    case 'UnaryExpression':
      return asksForValue(node.argument);
    case 'LogicalExpression':
      return asksForValue(node.left) && asksForValue(node.right);
    case 'BinaryExpression': {
      if (node.operator === 'instanceof' || node.operator === 'in') return true;
      const sides = [node.left, node.right];
      return sides.some(
        (it) =>
          it.type === 'NullLiteral' ||
          (it.type === 'Identifier' && it.name === 'undefined') ||
          (it.type === 'UnaryExpression' && it.operator === 'typeof'),
      );
    }
    default:
      return false;
  }
}

/** Whether a text has another one in it as a whole, whatever the blanks. */
function holds(text: string, part: string): boolean {
  const [all, own] = [text, part].map((it) => it.replaceAll(/\s+/g, ' ').replaceAll(/ ?([^\w$ ]) ?/g, '$1'));
  for (let at = all!.indexOf(own!); at !== -1; at = all!.indexOf(own!, at + 1))
    if (!/[\w$.]/.test(all![at - 1] ?? '') && !/[\w$.([]/.test(all![at + own!.length] ?? '')) return true;
  return false;
}
