import type { Node } from '@babel/types';
import { bare, calledName, sitesOf } from '../../repair/syntax/walk.ts';
import type { ChangedSource } from './changed-source.ts';

/** Whether what hangs on an expression is reached by absent, empty or wrong values alone, not by one that somebody chose. */
export type IsInnocent = (node: Node) => boolean;

const COMPARISON = /^(?:[!=]==?|[<>]=?)$/;
/** Functions that ask for the kind of a value. */
const ASKS_KIND =
  /^(?:isArray|isBuffer|isFinite|isInteger|isNaN|isSafeInteger|isView|hasOwn|hasOwnProperty)$/;
/** Methods that answer yes or no, whose answer may be kept in a variable. */
const ANSWERS =
  /^(?:includes|startsWith|endsWith|has|some|every|test|match|indexOf|lastIndexOf|search|equals|is[A-Z]\w*|has[A-Z]\w*|can[A-Z]\w*)$/;
/** Members that every list, text or error has. */
const COMMON = new Set(['length', 'size', 'byteLength', 'message', 'name', 'code']);
const NOTHING = new Set(['undefined', 'NaN', 'Infinity']);
const TYPE = /^(?:undefined|object|boolean|number|bigint|string|symbol|function)$/;
const LARGEST_PLAIN = 2;
const MAX_DEPTH = 8;

/**
 * Reads the innocent questions of a careful author: whether a value is there, is empty, is of a kind, or is less than
 * nothing. A question that names a text, a larger number or a new member, compares two values, or calls something is none, and
 * neither is a variable that holds the answer to such a question.
 */
export function innocentIn({ parsed, blocks }: ChangedSource): IsInnocent {
  const isChanged = (line: number): boolean =>
    blocks.some((it) => it.line <= line && line < it.line + it.lines);
  const unchanged = parsed.text.split('\n').filter((_, at) => !isChanged(at + 1));
  const known = new Set(
    [...unchanged, ...blocks.flatMap(({ before }) => before)].join('\n').match(/[\w$]+/g),
  );
  const answers = new Map<string, Node>();
  for (const { node } of sitesOf(parsed.tree.program))
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      if (isChanged(node.loc!.start.line) && isAnswer(bare(node.init))) answers.set(node.id.name, node.init);
  const within =
    (depth: number): IsInnocent =>
    (given) => {
      const node = bare(given);
      const inner = within(depth + 1);
      if (depth > MAX_DEPTH) return false;
      switch (node.type) {
        case 'Identifier': {
          const answer = answers.get(node.name);
          return answer === undefined || inner(answer);
        }
        case 'ThisExpression':
        case 'Super':
          return true;
        case 'MemberExpression':
        case 'OptionalMemberExpression':
          return isMemberOf(node, known) && inner(node.object);
        case 'UnaryExpression':
          return isPlain(node) || (/^(?:!|typeof|void)$/.test(node.operator) && inner(node.argument));
        case 'LogicalExpression':
          return inner(node.left) && inner(node.right);
        case 'ConditionalExpression':
          return [node.test, node.consequent, node.alternate].every(inner);
        case 'BinaryExpression':
          return (
            isQuestion(node) && [node.left, node.right].some(isPlainOrType) && sidesOf(node).every(inner)
          );
        case 'CallExpression':
        case 'OptionalCallExpression':
          return ASKS_KIND.test(calledName(node.callee) ?? '') && node.arguments.every((it) => inner(it));
        default:
          return isPlain(node);
      }
    };
  return within(0);
}

/** A value that stands for none, or is as good as none. */
export function isPlain(given: Node): boolean {
  const node = bare(given);
  switch (node.type) {
    case 'NullLiteral':
    case 'BooleanLiteral':
      return true;
    case 'NumericLiteral':
      return node.value <= LARGEST_PLAIN;
    case 'StringLiteral':
      return node.value.length < 2;
    case 'UnaryExpression':
      return node.operator === '-' && isPlain(node.argument);
    case 'Identifier':
      return NOTHING.has(node.name);
    case 'ArrayExpression':
      return node.elements.length === 0;
    case 'ObjectExpression':
      return node.properties.length === 0;
    case 'ConditionalExpression':
      return isPlain(node.consequent) && isPlain(node.alternate);
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? node.body.body.length === 0 : isPlain(node.body);
    default:
      return false;
  }
}

type Binary = Extract<Node, { type: 'BinaryExpression' }>;

function isQuestion({ operator }: Binary): boolean {
  return COMPARISON.test(operator) || operator === 'instanceof';
}

function isPlainOrType(node: Node): boolean {
  const own = bare(node);
  if (own.type === 'StringLiteral' && TYPE.test(own.value)) return true;
  // Of `instanceof`: a class, which begins with a capital letter.
  return isPlain(own) || (own.type === 'Identifier' && /^[A-Z]/.test(own.name));
}

function sidesOf({ left, right }: Binary): Node[] {
  return [left, right].filter((it) => !isPlainOrType(it));
}

function isMemberOf(
  { property, computed }: Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>,
  known: ReadonlySet<string>,
): boolean {
  if (computed) return property.type === 'NumericLiteral';
  return property.type !== 'Identifier' || COMMON.has(property.name) || known.has(property.name);
}

/** Whether a value is the answer to a question, so that something may hang on it later. */
function isAnswer(node: Node): boolean {
  switch (node.type) {
    case 'BinaryExpression':
      return isQuestion(node) || node.operator === 'in';
    case 'UnaryExpression':
      return node.operator === '!';
    case 'LogicalExpression':
      return isAnswer(bare(node.left)) || isAnswer(bare(node.right));
    case 'ConditionalExpression':
      return true;
    case 'CallExpression':
    case 'OptionalCallExpression':
      return ANSWERS.test(calledName(node.callee) ?? '');
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node.computed && node.property.type !== 'NumericLiteral';
    default:
      return false;
  }
}
