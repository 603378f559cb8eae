import type { Node } from '@babel/types';
import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { bare, functionOf, isFunction, sitesOf, type Site } from '../syntax/walk.ts';
import type { Wrapping } from '../syntax/wrappings.ts';

/** An expression whose values a traced run reports. */
export interface WatchedExpression {
  /** Unique across all files of one trace. */
  readonly id: number;
  /** Relative to the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** Source text, or the name of the variable that it initialises. */
  readonly code: string;
  /** The value is returned or assigned. */
  readonly isResult: boolean;
}

/** The expressions of a file and the wrappings that make them report. */
export interface WatchedSource {
  readonly watched: readonly WatchedExpression[];
  readonly wrappings: readonly Wrapping[];
}

/** Most expressions of one file, and the longest one that a reader would understand as a name for its value. */
const MOST_WATCHED = 800;
const MOST_CODE_CHARS = 60;

/**
 * The expressions inside functions whose values show what a run computed: variables and fields where they are read, what is
 * returned or assigned, and conditions. Each reports its values to `globalThis.__ralphValue`, if defined, and then
 * behaves as before. Ids are consecutive from `firstId`.
 */
export function watchValues(parsed: ParsedSource, firstId: number): WatchedSource {
  const watched: WatchedExpression[] = [];
  const wrappings: Wrapping[] = [];
  for (const site of sitesOf(parsed.tree.program)) {
    if (watched.length >= MOST_WATCHED) break;
    const value = runsInFunction(site) ? valueAt(site, parsed.text) : undefined;
    if (value === undefined) continue;
    const { node } = site;
    const id = firstId + watched.length;
    watched.push({ id, file: parsed.file, line: node.loc!.start.line, ...value });
    wrappings.push({
      ...{ start: startOf(node), end: endOf(node) },
      ...{ before: `__ralphWatch(${id},(`, after: '\n))' },
    });
  }
  const end = parsed.text.length;
  const report =
    '\nfunction __ralphWatch(id, value) { globalThis.__ralphValue?.(id, value); return value; }\n';
  return watched.length === 0
    ? { watched, wrappings }
    : { watched, wrappings: [...wrappings, { start: end, end, before: report, after: '' }] };
}

/** The body of a function runs per call; so do its parameters, but not a method's computed name. */
function runsInFunction(site: Site): boolean {
  const owner = site.parent === undefined ? undefined : functionOf(site.parent);
  if (owner === undefined) return false;
  for (let at = site; at !== owner; at = at.parent!)
    if (at.parent === owner) return at.key === 'body' || at.key === 'params';
  return false;
}

type Value = Pick<WatchedExpression, 'code' | 'isResult'>;

/** What a reader would call the value at the site; undefined where none is reported. */
function valueAt(site: Site, text: string): Value | undefined {
  const value =
    resultAt(site, text) ??
    (isName(site) && !isReadBefore(site, text)
      ? { code: textOf(site.node, text), isResult: false }
      : undefined);
  const isLong = value !== undefined && (value.code.length > MOST_CODE_CHARS || value.code.includes('\n'));
  return isLong ? undefined : value;
}

function textOf(node: Node, text: string): string {
  return text.slice(startOf(node), endOf(node));
}

/** For a value that is returned, assigned or decides a branch. */
function resultAt({ node, key, parent }: Site, text: string): Value | undefined {
  const owner = parent?.node;
  // With the assignment as its name: what is read at the same place has the name of the variable.
  if (node.type === 'AssignmentExpression')
    return node.left.type === 'Identifier' || node.left.type === 'MemberExpression'
      ? { code: textOf(node, text), isResult: true }
      : undefined;
  if (owner === undefined || SILENT.has(bare(node).type) || isFunction(bare(node))) return undefined;
  if (owner.type === 'VariableDeclarator' && key === 'init')
    return owner.id.type === 'Identifier' ? { code: owner.id.name, isResult: true } : undefined;
  const isReturned =
    (owner.type === 'ReturnStatement' && key === 'argument') ||
    (owner.type === 'ArrowFunctionExpression' && key === 'body' && node.type !== 'BlockStatement');
  const decides = key === 'test' && CONDITIONALS.has(owner.type);
  return isReturned || decides ? { code: textOf(node, text), isResult: isReturned } : undefined;
}

/** Values that the code shows already, and those that have no readable text. */
const SILENT = new Set([
  'NumericLiteral',
  'StringLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'BigIntLiteral',
  'RegExpLiteral',
  'ClassExpression',
  'JSXElement',
  'JSXFragment',
]);
const CONDITIONALS = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement',
]);

/** A variable or a chain of fields that is read; of a chain the longest part. */
function isName(site: Site): boolean {
  if (!isChain(site.node) || !isRead(site)) return false;
  const { parent, key } = site;
  return !(key === 'object' && parent !== undefined && isChain(parent.node) && isRead(parent));
}

function isChain(node: Node): boolean {
  if (node.type === 'Identifier') return !GLOBALS.test(node.name);
  if (node.type !== 'MemberExpression' || node.property.type === 'PrivateName') return false;
  const isPlainKey = !node.computed || KEYS.has(node.property.type);
  return isPlainKey && (node.object.type === 'ThisExpression' || isChain(node.object));
}

/** Names that are not of the program, or are classes. */
const GLOBALS = /^(undefined|NaN|Infinity|arguments|[A-Z]\w*|globalThis|process|console|module|exports)$/;
const KEYS = new Set(['Identifier', 'NumericLiteral', 'StringLiteral']);

/**
 * Whether a variable stands in a branch, and in the condition of the branch on the same line too. Its values in the branch are
 * not all that it had on that line, and a reader would take them for all.
 */
function isReadBefore({ node, key, parent }: Site, text: string): boolean {
  if (node.type !== 'Identifier') return false;
  const name = new RegExp(String.raw`(?<![\w$.])${node.name.replaceAll('$', String.raw`\$`)}(?![\w$])`);
  let child = key;
  for (let at = parent; at !== undefined && !isFunction(at.node); child = at.key, at = at.parent) {
    const condition = conditionOf(at.node);
    const isBranch = condition !== undefined && child !== 'test' && child !== 'left';
    if (isBranch && condition.loc!.end.line === node.loc!.start.line && name.test(textOf(condition, text)))
      return true;
  }
  return false;
}

function conditionOf(node: Node): Node | undefined {
  if (node.type === 'LogicalExpression') return node.left;
  return node.type === 'ConditionalExpression' || node.type === 'IfStatement' ? node.test : undefined;
}

/** Fields of a parent that hold an expression which is evaluated once and whose value is all that matters. */
const READ: Readonly<Record<string, readonly string[]>> = {
  BinaryExpression: ['left', 'right'],
  LogicalExpression: ['left', 'right'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  CallExpression: ['arguments'],
  OptionalCallExpression: ['arguments'],
  NewExpression: ['arguments'],
  ReturnStatement: ['argument'],
  ThrowStatement: ['argument'],
  AwaitExpression: ['argument'],
  SpreadElement: ['argument'],
  IfStatement: ['test'],
  WhileStatement: ['test'],
  DoWhileStatement: ['test'],
  SwitchStatement: ['discriminant'],
  ForOfStatement: ['right'],
  ForInStatement: ['right'],
  ArrayExpression: ['elements'],
  TemplateLiteral: ['expressions'],
  AssignmentExpression: ['right'],
  VariableDeclarator: ['init'],
  ParenthesizedExpression: ['expression'],
  ArrowFunctionExpression: ['body'],
};

function isRead({ key, parent }: Site): boolean {
  const owner = parent?.node;
  if (owner === undefined) return false;
  if (owner.type === 'UnaryExpression') return owner.operator !== 'delete' && owner.operator !== 'typeof';
  if (owner.type === 'ObjectProperty')
    return key === 'value' && !owner.shorthand && parent?.parent?.node.type === 'ObjectExpression';
  if (owner.type === 'MemberExpression' || owner.type === 'OptionalMemberExpression')
    return key === 'object' ? !isTarget(parent!) : owner.computed;
  return READ[owner.type]?.includes(key) === true;
}

/** Whether a member expression is assigned to; what its object is says little. */
function isTarget({ key, parent }: Site): boolean {
  const type = parent?.node.type;
  return (type === 'AssignmentExpression' && key === 'left') || type === 'UpdateExpression';
}
