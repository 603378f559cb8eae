import { extname } from 'node:path';
import { parse, type ParserPlugin } from '@babel/parser';
import type { CallExpression, Expression, Node, Statement } from '@babel/types';

const TEST_NAMES = new Set(['test', 'it', 'specify']);
const GROUP_NAMES = new Set(['describe', 'suite', 'context']);
/** Names of other runners, and of tests that are skipped. */
const OTHER_NAMES = new Set(['fit', 'xit', 'xtest', 'fdescribe', 'xdescribe', 'fcontext', 'xcontext']);
/** Modifiers of tests that never pass. */
const NEVER_RUN = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails', 'failing']);
const HOOKS = new Set(['before', 'after', 'beforeEach', 'afterEach', 'beforeAll', 'afterAll']);

/** A test file reduced to a number of tests. */
export interface KeptTests {
  /** The text of the file without the tests that were removed. */
  readonly text: string;
  readonly count: number;
}

/**
 * Keeps the first `most` tests of a test file, in groups or not, with imports and helpers; each row of an `each` table
 * counts as a test. Removes `only`, skipped tests, and tests whose number is not evident, as in a loop. Undefined if
 * the text does not parse in the language of the file's extension, has no test, or declares tests in functions.
 */
export function keepTests(text: string, most: number, file: string): KeptTests | undefined {
  const body = parsed(text, extname(file));
  if (body === undefined || body.some((statement) => isDeclaration(statement) && containsTests(statement)))
    return undefined;
  const cuts: Cut[] = [];
  const count = keepIn(body, most, cuts);
  return count === 0 ? undefined : { text: without(text, cuts), count };
}

/** A part of the text to remove; indices of UTF-16 code units. */
interface Cut {
  readonly start: number;
  readonly end: number;
}

function parsed(text: string, ending: string): readonly Statement[] | undefined {
  const typed = /^\.[cm]?ts$/.test(ending) ? [['typescript']] : [['typescript', 'jsx']];
  const plugins = (/^\.[cm]?tsx?$/.test(ending) ? typed : [['jsx']]) as ParserPlugin[][];
  try {
    return parse(text, {
      sourceType: ending.startsWith('.c') ? 'script' : 'unambiguous',
      plugins: [...plugins[0]!, 'decorators'],
      allowReturnOutsideFunction: ending.startsWith('.c'),
    }).program.body;
  } catch {
    return undefined;
  }
}

/** Counts the tests that are kept, at most `most`, and adds the others to `cuts`. */
function keepIn(body: readonly Statement[], most: number, cuts: Cut[]): number {
  let count = 0;
  for (const statement of body) {
    const call = callOf(statement);
    const kind = call === undefined ? undefined : kindOf(call);
    if (kind?.name === 'group') {
      const inner = groupBody(call!);
      const kept = inner === undefined || !kind.runs ? 0 : keepIn(inner, most - count, cuts);
      if (kept === 0) cuts.push(spanOf(statement));
      else cuts.push(...kind.only);
      count += kept;
    } else if (kind?.name === 'test') {
      const fits = kind.runs && kind.rows !== undefined && count + kind.rows <= most;
      if (!fits) cuts.push(spanOf(statement));
      else cuts.push(...kind.only);
      count += fits ? kind.rows! : 0;
    } else if (kind === undefined && containsTests(statement)) cuts.push(spanOf(statement));
  }
  return count;
}

/** Declarations are never removed, since the kept tests may use them. */
function isDeclaration({ type }: Statement): boolean {
  return type === 'FunctionDeclaration' || type === 'VariableDeclaration' || type === 'ClassDeclaration';
}

function callOf(statement: Statement): CallExpression | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  const isWrapped = expression.type === 'AwaitExpression' || expression.type === 'UnaryExpression';
  const inner = isWrapped ? expression.argument : expression;
  return inner.type === 'CallExpression' ? inner : undefined;
}

interface CallKind {
  readonly name: 'test' | 'group' | 'hook';
  readonly runs: boolean;
  /** The number of tests that the call declares; undefined if it is not evident. */
  readonly rows: number | undefined;
  /** The parts of the text with `.only`. */
  readonly only: readonly Cut[];
}

/** The declaration made by a call, by its chain of names such as `test.only.each(rows)(…)`; undefined for other calls. */
function kindOf({ callee }: CallExpression): CallKind | undefined {
  const names: string[] = [];
  const only: Cut[] = [];
  let rows: number | undefined = 1;
  let at: Expression | Node = callee;
  while (at.type !== 'Identifier') {
    if (at.type === 'MemberExpression' && !at.computed && at.property.type === 'Identifier') {
      names.push(at.property.name);
      if (at.property.name === 'only') only.push({ start: at.object.end!, end: at.property.end! });
      at = at.object;
    } else if (at.type === 'CallExpression') {
      const [table] = at.arguments;
      rows = table?.type === 'ArrayExpression' ? rowsOf(table.elements) : undefined;
      at = at.callee;
    } else if (at.type === 'TaggedTemplateExpression') {
      rows = rowsOfTemplate(at.quasi);
      at = at.tag;
    } else return undefined;
  }
  const root = at.name;
  const isKnown = TEST_NAMES.has(root) || GROUP_NAMES.has(root);
  if (!isKnown) return undefined;
  if (names.some((name) => HOOKS.has(name))) return { name: 'hook', runs: true, rows: 0, only };
  const isGroup = GROUP_NAMES.has(root) || names.some((name) => GROUP_NAMES.has(name));
  const runs = !names.some((name) => NEVER_RUN.has(name)) && (!isGroup || rows === 1);
  return { name: isGroup ? 'group' : 'test', runs, rows, only };
}

function rowsOf(elements: readonly (Node | null)[]): number | undefined {
  return elements.some((element) => element?.type === 'SpreadElement') ? undefined : elements.length;
}

/** The rows of an `each` template: its values divided by the number of column names. */
function rowsOfTemplate({
  expressions,
  quasis,
}: {
  expressions: readonly Node[];
  quasis: readonly Node[];
}): number | undefined {
  const [head] = quasis;
  const names =
    head?.type === 'TemplateElement' ? (head.value.raw.trim().split('\n')[0] ?? '').split('|').length : 0;
  return names === 0 ? undefined : Math.ceil(expressions.length / names);
}

function groupBody({ arguments: args }: CallExpression): readonly Statement[] | undefined {
  const body = args.findLast(
    (arg) => arg.type === 'ArrowFunctionExpression' || arg.type === 'FunctionExpression',
  );
  if (body?.type !== 'ArrowFunctionExpression' && body?.type !== 'FunctionExpression') return undefined;
  return body.body.type === 'BlockStatement' ? body.body.body : undefined;
}

/** Whether a node contains declarations of tests, as a loop may. */
function containsTests(node: Node): boolean {
  if (node.type === 'CallExpression') {
    const kind = kindOf(node);
    if (kind !== undefined && kind.name !== 'hook') return true;
    if (node.callee.type === 'Identifier' && OTHER_NAMES.has(node.callee.name)) return true;
  }
  return Object.values(node).some((value: unknown) =>
    Array.isArray(value)
      ? value.some((item) => isNode(item) && containsTests(item))
      : isNode(value) && containsTests(value),
  );
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Node).type === 'string' &&
    'start' in value
  );
}

function spanOf({ start, end }: Node): Cut {
  return { start: start!, end: end! };
}

function without(text: string, cuts: readonly Cut[]): string {
  const outer = cuts.filter(
    (cut) => !cuts.some((other) => other !== cut && other.start <= cut.start && cut.end <= other.end),
  );
  return outer
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}
