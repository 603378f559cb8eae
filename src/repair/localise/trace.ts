import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { uncheckTypes, wrapRanges, type Wrapping } from '../syntax/wrappings.ts';
import { functionOf, inStatementList, isFunction, isStatement, sitesOf, type Site } from '../syntax/walk.ts';

/** A statement, or the expression that an arrow function consists of, that reports when it is reached. */
export interface TracedStatement {
  /** Its number in the records; unique over all files of one trace. */
  readonly id: number;
  /** Relative to the repository's root. */
  readonly file: string;
  /** 0-based UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
}

export interface TracedSource {
  readonly text: string;
  readonly statements: readonly TracedStatement[];
}

/**
 * A copy of the source whose statements inside functions tell `__ralphTrace` when they are reached, and
 * otherwise do what they did. Ids begin with `firstId`.
 */
export function instrumentForTrace(parsed: ParsedSource, firstId: number): TracedSource {
  const statements: TracedStatement[] = [];
  const wrappings: Wrapping[] = [uncheckTypes(parsed)];
  for (const site of sitesOf(parsed.tree.program)) {
    const shape = shapeOf(site);
    if (shape === undefined) continue;
    const { node } = site;
    const place = { start: startOf(node), end: endOf(node) };
    const id = firstId + statements.length;
    statements.push({ id, file: parsed.file, ...place, line: node.loc!.start.line });
    wrappings.push({ ...place, ...SHAPES[shape](`globalThis.__ralphTrace?.(${id})`) });
  }
  return { text: wrapRanges(parsed.text, wrappings), statements };
}

/** Whether a statement stands alone where one may stand: the body of a loop, or a branch, without braces. */
export function isLoneBody({ node, key, parent }: Site): boolean {
  if (parent === undefined || !isStatement(node) || node.type === 'BlockStatement') return false;
  return LONE_KEYS.has(key) && LONE_PARENTS.has(parent.node.type);
}

/** Whether a function stands around the site, so that it runs again with each call. */
export function runsPerCall(site: Site): boolean {
  return site.parent !== undefined && functionOf(site.parent) !== undefined;
}

const LONE_KEYS = new Set(['body', 'consequent', 'alternate']);
const LONE_PARENTS = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

const SHAPES = {
  listed: (call: string) => ({ before: `${call};`, after: '' }),
  lone: (call: string) => ({ before: `{${call};`, after: '}' }),
  expression: (call: string) => ({ before: `(${call},(`, after: '\n))' }),
};

function shapeOf(site: Site): keyof typeof SHAPES | undefined {
  const { node, key, parent } = site;
  if (parent?.node.type === 'ArrowFunctionExpression' && key === 'body') {
    return node.type === 'BlockStatement' ? undefined : 'expression';
  }
  if (!isStatement(node) || !runsPerCall(site) || isFunction(node) || node.type === 'BlockStatement')
    return undefined;
  if (node.type === 'ExpressionStatement' && startsConstruction(node.expression)) return undefined;
  if (inStatementList(site)) return 'listed';
  return isLoneBody(site) ? 'lone' : undefined;
}

function startsConstruction(expression: { type: string; callee?: { type: string } }): boolean {
  return expression.type === 'CallExpression' && expression.callee?.type === 'Super';
}
