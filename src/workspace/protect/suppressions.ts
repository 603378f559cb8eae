import { extname } from 'node:path';
import { parse } from '@babel/parser';
import type { Comment, Node } from '@babel/types';

/** The check that a suppression affects. `tests`: the code detects that it runs under a test runner. */
export type Quieted = 'types' | 'lint' | 'tests';

/** Number of suppressions in a text by kind; kinds have readable names. */
export type Suppressions = ReadonlyMap<string, number>;

interface Kind {
  readonly name: string;
  readonly quiets: Quieted;
}

/** A `globals` or `exported` comment of ESLint: names with optional permissions, unlike prose that begins with the word. */
const DECLARED = /^\s*(globals?|exported)\s+[\w$]+(\s*:\s*\w+)?(\s*,\s*[\w$]+(\s*:\s*\w+)?)*,?\s*$/;

const COMMENTS: readonly (Kind & { readonly pattern: RegExp; readonly onlyBlock?: boolean })[] = [
  { name: '@ts-ignore', quiets: 'types', pattern: /^[\s*/]*@ts-ignore\b/m },
  { name: '@ts-expect-error', quiets: 'types', pattern: /^[\s*/]*@ts-expect-error\b/m },
  { name: '@ts-nocheck', quiets: 'types', pattern: /^[\s*/]*@ts-nocheck\b/m },
  { name: 'eslint-disable', quiets: 'lint', pattern: /^\s*eslint-disable(-next-line|-line)?\b/ },
  {
    name: 'inline eslint configuration',
    quiets: 'lint',
    pattern: /^\s*eslint(-env\s+\w|\s+["'@\w/-]+\s*:)/,
    onlyBlock: true,
  },
  { name: 'a declared global', quiets: 'lint', pattern: DECLARED, onlyBlock: true },
];

const CAST: Kind = { name: 'a cast to any', quiets: 'types' };
const DOUBLE_CAST: Kind = { name: 'a cast through unknown', quiets: 'types' };
const AMBIENT: Kind = { name: 'an ambient any', quiets: 'types' };
const ANNOTATION: Kind = { name: 'any instead of a type', quiets: 'types' };
const AWARE: Kind = { name: 'a check whether it is being tested', quiets: 'tests' };

const QUIETS = new Map(
  [...COMMENTS, CAST, DOUBLE_CAST, AMBIENT, ANNOTATION, AWARE].map(({ name, quiets }) => [name, quiets]),
);

/** Environment variables that only test runners set. */
const RUNNER_VARIABLE =
  /^(VITEST|VITEST_\w+|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|AVA_PATH|MOCHA_\w+)$/;

const CODE = /\.[cm]?[jt]sx?$/;
/** A text without any match has no suppressions and is not parsed. */
const TRIGGER =
  /@ts-|eslint|\bglobals?\s|\bexported\s|\bany\b|\bunknown\b|\bdeclare\s+module\b|VITEST|JEST_|NODE_TEST|AVA_|MOCHA_/;

/** The check that suppressions of this kind affect. */
export function quietedBy(name: string): Quieted {
  return QUIETS.get(name)!;
}

/**
 * Counts the suppressions in a source, by the syntax of comments and types. `base` is the earlier text of the file: a type
 * that became `any` since then counts. A text that cannot be parsed has none.
 */
export function countSuppressions(path: string, text: string, base = ''): Suppressions {
  const counts = new Map<string, number>();
  if (!CODE.test(path) || !TRIGGER.test(text)) return counts;
  const parsed = parsedOf(path, text);
  if (parsed === undefined) return counts;
  const add = ({ name }: Kind): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const comment of parsed.comments) COMMENTS.filter((kind) => isSuppression(comment, kind)).forEach(add);
  visit(parsed.root, (node) => {
    const kind = kindOf(node, /\.d\.[cm]?ts$/.test(path));
    if (kind !== undefined) add(kind);
  });
  for (let left = lostTypes(path, parsed, base); left > 0; left--) add(ANNOTATION);
  return counts;
}

function isSuppression(
  { type, value }: Comment,
  { pattern, onlyBlock = false }: (typeof COMMENTS)[number],
): boolean {
  return (!onlyBlock || type === 'CommentBlock') && pattern.test(value);
}

function kindOf(node: Node, isAmbientFile: boolean): Kind | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (node.typeAnnotation.type === 'TSAnyKeyword') return CAST;
      return isCastToUnknown(node.expression) ? DOUBLE_CAST : undefined;
    case 'TSModuleDeclaration':
      return node.id.type === 'StringLiteral' && !(node.body as Node | null | undefined)
        ? AMBIENT
        : undefined;
    case 'VariableDeclaration': {
      const isAmbient = node.declare === true || isAmbientFile;
      return isAmbient && node.declarations.some(({ id }) => isAny(annotationOf(id))) ? AMBIENT : undefined;
    }
    case 'TSDeclareFunction':
      return isAny(node.returnType ?? undefined) ? AMBIENT : undefined;
    case 'Identifier':
      return RUNNER_VARIABLE.test(node.name) ? AWARE : undefined;
    case 'StringLiteral':
      return RUNNER_VARIABLE.test(node.value) ? AWARE : undefined;
    default:
      return undefined;
  }
}

function isCastToUnknown(node: Node): boolean {
  const inner = node.type === 'ParenthesizedExpression' ? node.expression : node;
  const isCast = inner.type === 'TSAsExpression' || inner.type === 'TSTypeAssertion';
  return isCast && inner.typeAnnotation.type === 'TSUnknownKeyword';
}

/** Number of annotations that became `any` since the base, by name: several functions may have a parameter of one name. */
function lostTypes(path: string, now: Parsed, base: string): number {
  const after = annotationsIn(now);
  const isAnyThere = [...after.values()].some(({ any }) => any > 0);
  const before = isAnyThere && base !== '' ? parsedOf(path, base) : undefined;
  if (before === undefined) return 0;
  return [...annotationsIn(before)].reduce((sum, [name, then]) => {
    const more = (after.get(name)?.any ?? 0) - then.any;
    return sum + Math.max(0, Math.min(more, then.typed));
  }, 0);
}

interface Annotations {
  any: number;
  typed: number;
}

/** Numbers of annotations by the annotated name. */
function annotationsIn({ root }: Parsed): Map<string, Annotations> {
  const found = new Map<string, Annotations>();
  visit(root, (node) => {
    const name = annotatedName(node);
    const annotation = annotationOf(node);
    if (name === undefined || annotation === undefined) return;
    const own = found.get(name) ?? { any: 0, typed: 0 };
    own[isAny(annotation) ? 'any' : 'typed']++;
    found.set(name, own);
  });
  return found;
}

/** Name of an annotated variable or parameter, or of a function followed by `()` for its result type. */
function annotatedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  const isNamed = node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction';
  if (isNamed && node.id) return `${node.id.name}()`;
  const isMember =
    node.type === 'ClassProperty' || node.type === 'TSPropertySignature' || node.type === 'ClassMethod';
  if (!isMember || node.key.type !== 'Identifier') return undefined;
  return node.type === 'ClassMethod' ? `.${node.key.name}()` : `.${node.key.name}`;
}

function annotationOf(node: Node): Node | undefined {
  if ('returnType' in node && node.returnType) return node.returnType;
  return 'typeAnnotation' in node && node.typeAnnotation ? (node.typeAnnotation as Node) : undefined;
}

function isAny(annotation: Node | undefined): boolean {
  return annotation?.type === 'TSTypeAnnotation' && annotation.typeAnnotation.type === 'TSAnyKeyword';
}

interface Parsed {
  readonly root: Node;
  readonly comments: readonly Comment[];
}

function parsedOf(path: string, text: string): Parsed | undefined {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const mayHoldJsx = !isTyped || extname(path) === '.tsx';
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTyped ? (['typescript'] as const) : []),
        ...(mayHoldJsx ? (['jsx'] as const) : []),
        'decorators',
      ],
    });
    return { root: file.program, comments: file.comments ?? [] };
  } catch {
    return undefined;
  }
}

const NOT_VISITED = new Set([
  'loc',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'extra',
  'tokens',
  'errors',
]);

/** Calls `onNode` for a node and every node below it. */
function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const [key, value] of Object.entries(node)) {
    if (NOT_VISITED.has(key) || typeof value !== 'object' || value === null) continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) {
      if (isNode(child)) visit(child, onNode);
    }
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}
