import type { Node } from '@babel/types';
import type { Binding } from '../syntax/bindings.ts';
import type { Kind } from '../syntax/kinds.ts';
import type { LiteralPool } from '../syntax/literals.ts';
import { endOf, startOf } from '../syntax/parse.ts';
import { fit } from '../syntax/precedence.ts';
import type { Site } from '../syntax/walk.ts';

/** One way to change a program. Pure: the same site and file give the same proposals in the same order. */
export interface Operator {
  readonly name: string;
  /** How natural an edit of this kind is, 0..1. */
  readonly prior: number;
  propose(site: Site, source: SourceView): Iterable<Proposal>;
}

/** Replacements that are tried together, in the file's offsets, sorted and not overlapping. */
export interface Proposal {
  readonly edits: readonly TextEdit[];
  /** Share of the operator's prior that this proposal deserves, 0..1. */
  readonly factor: number;
}

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What operators may ask about the file. */
export interface SourceView {
  readonly text: string;
  readonly sites: readonly Site[];
  readonly literals: LiteralPool;
  /** The node's own text. */
  textOf(node: Node): string;
  /** Names that code at the site can use, innermost first. */
  visibleAt(site: Site): readonly Binding[];
  kindOf(node: Node): Kind;
  /** Property names that the file uses beside the given one on the same sort of object. */
  siblingsOf(property: string): readonly string[];
  /** Sites inside the function that the site is in, or the whole file. */
  withinFunction(site: Site): readonly Site[];
  /** Sites of the node and of what is inside it. */
  within(node: Node): readonly Site[];
  /** Property names that the file reads of the name, `name.property`, in the order of the file. */
  propertiesOf(name: string): readonly string[];
  /** Whether the file takes items of the name by index, `name[i]`. */
  isIndexed(name: string): boolean;
  /** Other members whose type fits where a member's name stands, by the name's offset; best first. */
  typedMembersAt(offset: number): readonly string[];
  /** Whether the name is ever assigned after its declaration. */
  isAssigned(name: string): boolean;
}

/** A proposal that replaces one node. */
export function replaceNode(node: Node, replacement: string, factor = 1): Proposal {
  return replaceRange(startOf(node), endOf(node), replacement, factor);
}

/** A proposal that replaces the site's expression, with parentheses where the place needs them. */
export function replaceSite(site: Site, text: string, precedence: number, factor = 1): Proposal {
  return replaceNode(site.node, fit(site, text, precedence), factor);
}

export function replaceRange(start: number, end: number, replacement: string, factor = 1): Proposal {
  return { edits: [{ start, end, replacement }], factor };
}

export function insertAt(offset: number, text: string, factor = 1): Proposal {
  return replaceRange(offset, offset, text, factor);
}

/** Several replacements as one proposal. */
export function together(proposals: readonly Proposal[], factor = 1): Proposal {
  const edits = proposals.flatMap((proposal) => proposal.edits).sort((a, b) => a.start - b.start);
  return { edits, factor };
}

/** A proposal that replaces the operator between two operands. */
export function replaceOperator(
  node: { left: Node; right: Node; operator: string },
  replacement: string,
  { text, factor = 1 }: { text: string; factor?: number },
): Proposal {
  const start = text.indexOf(node.operator, endOf(node.left));
  return replaceRange(start, start + node.operator.length, replacement, factor);
}

/** Whether a value is read here: not a target, a declared name, a key or a label. */
export function isRead(site: Site): boolean {
  const { parent, key } = site;
  if (parent === undefined) return false;
  const { node } = parent;
  switch (node.type) {
    case 'VariableDeclarator':
      return key === 'init';
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return key === 'right';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'object' || node.computed;
    case 'ObjectProperty':
      return (key === 'value' && !node.shorthand && !isPattern(parent)) || (key === 'key' && node.computed);
    case 'ForInStatement':
    case 'ForOfStatement':
      return key === 'right';
    case 'ArrowFunctionExpression':
      return key === 'body';
    case 'ClassProperty':
      return key === 'value';
    case 'ClassMethod':
    case 'ObjectMethod':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'ArrayPattern':
    case 'RestElement':
    case 'CatchClause':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'UpdateExpression':
    case 'ExportSpecifier':
    case 'MetaProperty':
    case 'TSParameterProperty':
    case 'JSXOpeningElement':
    case 'JSXClosingElement':
    case 'JSXAttribute':
    case 'PrivateName':
      return false;
    default:
      return !(node.type === 'UnaryExpression' && (node.operator === 'delete' || node.operator === 'typeof'));
  }
}

function isPattern(site: Site): boolean {
  return site.parent?.node.type === 'ObjectPattern';
}
