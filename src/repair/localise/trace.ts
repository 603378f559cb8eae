import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import {
  inStatementList,
  isFunction,
  isLoneBody,
  isStatement,
  runsPerCall,
  sitesOf,
  type Site,
} from '../syntax/walk.ts';
import { uncheckTypes, wrapRanges, type Wrapping } from '../syntax/wrappings.ts';

/** A statement, or an arrow function's expression body, that reports when it is reached. */
export interface TracedStatement {
  /** Unique across all files of one trace. */
  readonly id: number;
  /** Relative to the repository's root. */
  readonly file: string;
  /** 0-based UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
}

/** The instrumented text of a file and its statements. */
export interface TracedSource {
  readonly text: string;
  readonly statements: readonly TracedStatement[];
}

/**
 * Instruments the statements inside functions: each calls `globalThis.__ralphTrace` with its id, if defined, and
 * then behaves as before. Ids are consecutive from `firstId`. `extras` go into the text too, inside statements of the same range.
 * With `hasEmptyBodies` the empty body of a function counts as a statement.
 */
export function instrumentForTrace(
  parsed: ParsedSource,
  firstId: number,
  extras: readonly Wrapping[] = [],
  { hasEmptyBodies = false }: { readonly hasEmptyBodies?: boolean } = {},
): TracedSource {
  const statements: TracedStatement[] = [];
  const wrappings: Wrapping[] = [uncheckTypes(parsed)];
  for (const site of sitesOf(parsed.tree.program)) {
    const shape = hasEmptyBodies && isEmptyBody(site) ? 'empty' : shapeOf(site);
    if (shape === undefined) continue;
    const { node } = site;
    const place = { start: startOf(node), end: endOf(node) };
    const id = firstId + statements.length;
    statements.push({ id, file: parsed.file, ...place, line: node.loc!.start.line });
    const inside = shape === 'empty' ? { start: place.start + 1, end: place.start + 1 } : place;
    wrappings.push({ ...inside, ...SHAPES[shape](`globalThis.__ralphTrace?.(${id})`) });
  }
  return { text: wrapRanges(parsed.text, [...wrappings, ...extras]), statements };
}

/** Keeps the statements that are reached before anything listens: ES modules load before the code of their test file runs. */
export function keepLoading({ tree, text }: ParsedSource): Wrapping {
  const [first] = tree.program.body;
  const start = first === undefined ? text.length : startOf(first);
  const keep = '(id)=>{globalThis.__ralphTrace.seen?.add(id)}';
  const before = `globalThis.__ralphTrace??=Object.assign(${keep},{seen:new Set()});`;
  return { start, end: start, before, after: '' };
}

/** Reports that the file has been loaded to its end. */
export function noteLoading({ text }: ParsedSource, id: number): Wrapping {
  const end = text.length;
  return { start: end, end, before: `\n;globalThis.__ralphTrace?.(${id});\n`, after: '' };
}

const SHAPES = {
  listed: (call: string) => ({ before: `${call};`, after: '' }),
  lone: (call: string) => ({ before: `{${call};`, after: '}' }),
  expression: (call: string) => ({ before: `(${call},(`, after: '\n))' }),
  empty: (call: string) => ({ before: `${call};`, after: '' }),
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

function isEmptyBody({ node, key, parent }: Site): boolean {
  if (node.type !== 'BlockStatement' || key !== 'body' || parent === undefined) return false;
  return isFunction(parent.node) && node.body.length === 0 && node.directives.length === 0;
}

function startsConstruction(expression: { type: string; callee?: { type: string } }): boolean {
  return expression.type === 'CallExpression' && expression.callee?.type === 'Super';
}
