import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, nearest, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { isPlain, type IsInnocent } from './innocent-questions.ts';
import { isRangeOrForm, isThrowing } from './limiting-guards.ts';

/** Offsets in a text. */
export type Range = readonly [start: number, end: number];

/** What is asked of the parts of a changed source. */
export interface Asked {
  readonly text: string;
  /** Whether the change brings a node. */
  readonly isAdded: (node: Node) => boolean;
  readonly isInnocent: IsInnocent;
  /** Whether the code reaches outside of the process. */
  readonly acts: (range: Range) => boolean;
}

/** Edits that leave one part of an expression out, for each part that has to be needed. */
export function reductionsOf(site: Site, asked: Asked): TextEdit[] {
  const { node } = site;
  const { text, isAdded, isInnocent, acts } = asked;
  const [start, end] = [startOf(node), endOf(node)];
  const keep = (part: Node): TextEdit => ({
    ...{ start, end },
    replacement: `(${text.slice(startOf(part), endOf(part))})`,
  });
  const actsBeside = (part: Node): boolean => acts([start, startOf(part)]) || acts([endOf(part), end]);
  const isLimit = isOfLimit(site);
  const decides = (part: Node): boolean =>
    (isAdded(part) || part.type === 'Identifier') &&
    !isInnocent(part) &&
    !(isLimit && isRangeOrForm(part, isInnocent));
  switch (node.type) {
    case 'LogicalExpression': {
      const { left, right, operator } = node;
      // What stands in for nothing is a value, not a question.
      const isStandIn = operator === '??' && isAdded(right) && !isPlain(right);
      const asks = (out: Node): boolean => !isSame(out, operator) && decides(out);
      return [
        ...(actsBeside(left) || isStandIn || asks(right) ? [keep(left)] : []),
        ...(actsBeside(right) || asks(left) ? [keep(right)] : []),
      ];
    }
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node;
      return [[consequent, alternate] as const, [alternate, consequent] as const].flatMap(([kept, out]) =>
        actsBeside(kept) || decides(test) || decides(out) ? [keep(kept)] : [],
      );
    }
    case 'BinaryExpression':
      return [[node.left, node.right] as const, [node.right, node.left] as const].flatMap(([kept, out]) =>
        actsBeside(kept) || (node.operator === '+' && tells(out)) ? [keep(kept)] : [],
      );
    case 'SequenceExpression':
      return [node.expressions.at(-1)!].filter(actsBeside).map(keep);
    case 'AssignmentPattern': {
      const edit = { start: endOf(node.left), end, replacement: '' };
      const isOrdinary = isPlain(node.right) || (isInnocent(node.right) && isOfParameters(site));
      return acts([edit.start, end]) || !isOrdinary ? [edit] : [];
    }
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression': {
      const isOutside = acts(rangeOf(node.callee));
      const asks = (it: Node): boolean => acts(rangeOf(it)) || (isAdded(it) && (isOutside || isOptions(it)));
      return isThrown(site) ? [] : node.arguments.filter(asks).map((it) => replaced(it, 'undefined'));
    }
    case 'ArrayExpression': {
      const isGrown = node.elements.some((it) => it !== null && !isAdded(it)) || isSearched(site);
      const asks = (it: Node): boolean => acts(rangeOf(it)) || (isGrown && isAdded(it) && isEntry(it));
      return node.elements.flatMap((it) => (it !== null && asks(it) ? [replaced(it, 'undefined')] : []));
    }
    case 'ObjectExpression': {
      const isGrown = node.properties.some((it) => !isAdded(it));
      const isOutside = isArgumentOf(site, ({ callee }) => acts(rangeOf(callee)));
      const asks = (it: Node): boolean => isAdded(it) && (isGrown || isOutside);
      return isThrown(site) ? [] : node.properties.filter(asks).map((it) => withoutProperty(it, text));
    }
    case 'ObjectProperty':
      return acts(rangeOf(node.value)) ? [replaced(node.value, 'undefined')] : [];
    case 'SwitchCase':
      return node.test ? [{ start, end, replacement: '' }] : [];
    case 'TemplateLiteral':
      return node.expressions.flatMap((it) => (acts(rangeOf(it)) || tells(it) ? [replaced(it, "''")] : []));
    default:
      return [];
  }
}

/** Whether a question is one of a guard that throws. */
function isOfLimit(site: Site): boolean {
  let at: Site | undefined = site;
  while (at?.parent && /^(?:Logical|Parenthesized|Unary)Expression$/.test(at.parent.node.type))
    at = at.parent;
  const guard = at?.parent?.node;
  return at?.key === 'test' && guard?.type === 'IfStatement' && isThrowing(guard);
}

/** Whether a default is made of the other parameters alone. */
function isOfParameters({ node, parent, key }: Site): boolean {
  if (key !== 'params' || node.type !== 'AssignmentPattern' || !parent || !('params' in parent.node))
    return false;
  const names = (it: Node): string[] =>
    sitesOf(it).flatMap((site) =>
      site.node.type === 'Identifier' && site.key !== 'property' ? [site.node.name] : [],
    );
  const given = new Set((parent.node.params as readonly Node[]).filter((it) => it !== node).flatMap(names));
  return names(node.right).every((name) => given.has(name));
}

/** Whether the operands of an operand are operands as well. */
function isSame(part: Node, operator: string): boolean {
  const node = bare(part);
  return node.type === 'LogicalExpression' && node.operator === operator;
}

/** A text or a number of a list. */
function isEntry(given: Node): boolean {
  const node = bare(given);
  return /^(?:String|Numeric|BigInt|RegExp)Literal$|^TemplateLiteral$/.test(node.type) && !isPlain(node);
}

/** Names of what is nobody's business. */
const SECRET = /pass(?:word|wd|phrase)|secret|credential|(?:api|private)_?key/i;

/** Whether a part of a text is such a value. */
function tells(given: Node): boolean {
  const node = bare(given);
  if (node.type === 'Identifier') return SECRET.test(node.name);
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
  return isMember && node.property.type === 'Identifier' && SECRET.test(node.property.name);
}

/** What a call is told beside its values. */
function isOptions(node: Node): boolean {
  return bare(node).type === 'ObjectExpression';
}

type Call = Extract<Node, { type: 'CallExpression' | 'OptionalCallExpression' | 'NewExpression' }>;

function isArgumentOf({ parent, key }: Site, test: (call: Call) => boolean): boolean {
  const node = parent?.node;
  const isCall =
    node?.type === 'CallExpression' ||
    node?.type === 'OptionalCallExpression' ||
    node?.type === 'NewExpression';
  return isCall && key === 'arguments' && test(node);
}

/** Whether something is looked up in a list: `[…].includes(a)`, `new Set([…])`. */
function isSearched(site: Site): boolean {
  const isMember = /^(?:Optional)?MemberExpression$/.test(site.parent?.node.type ?? '');
  const isSet = ({ callee }: Call): boolean =>
    callee.type === 'Identifier' && /^(?:Weak)?(?:Set|Map)$/.test(callee.name);
  return (isMember && site.key === 'object') || isArgumentOf(site, isSet);
}

/** Whether a value is what an error tells, which few tests read. */
function isThrown(site: Site): boolean {
  return nearest(site, ({ type }) => type === 'ThrowStatement') !== undefined;
}

/** The edit that takes a property out, with the comma after it. */
function withoutProperty(node: Node, text: string): TextEdit {
  const comma = /^\s*,/.exec(text.slice(endOf(node)))?.[0] ?? '';
  return { start: startOf(node), end: endOf(node) + comma.length, replacement: '' };
}

function replaced(part: Node, replacement: string): TextEdit {
  return { start: startOf(part), end: endOf(part), replacement };
}

function rangeOf(node: Node): Range {
  return [startOf(node), endOf(node)];
}
