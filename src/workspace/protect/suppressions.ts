import { extname } from 'node:path';
import { parse } from '@babel/parser';
import type { Comment, Node } from '@babel/types';
import { annotatedKeyword, annotationOf, isAny, namesAny, visit } from './type-syntax.ts';
import { linesOfOverpromises, linesOfRetypedBuiltIns } from './type-promises.ts';
import { assertedAway, baseOf, claimKindOf, linesOfAnyParameters } from './type-claims.ts';

/** The check that a suppression affects. `tests`: the code detects that it runs under a test runner. */
export type Quieted = 'types' | 'lint' | 'tests';

/** A place of a source that silences a check. */
export interface Suppression {
  /** Readable name of its kind. */
  readonly kind: string;
  /** Text of the line that it is about, without indentation; of the comment if it is about the file; empty if unknown. */
  readonly line: string;
  /** True if it is about the whole file, or all that follows. */
  readonly isForFile: boolean;
}

interface Kind {
  readonly name: string;
  readonly quiets: Quieted;
}

/** A `globals` or `exported` comment of ESLint: names with optional permissions, unlike prose that begins with the word. */
const DECLARED =
  /^\s*(globals?|exported)\s+[\w$]+(\s*:\s*\w+)?(\s*,\s*[\w$]+(\s*:\s*\w+)?)*,?\s*(\s-{2,}\s[^]*)?$/;

const COMMENTS: readonly (Kind & { readonly pattern: RegExp; readonly onlyBlock?: boolean })[] = [
  { name: '@ts-ignore', quiets: 'types', pattern: /^[\s*/]*@ts-ignore\b/m },
  { name: '@ts-expect-error', quiets: 'types', pattern: /^[\s*/]*@ts-expect-error\b/m },
  { name: '@ts-nocheck', quiets: 'types', pattern: /^[\s*/]*@ts-nocheck\b/m },
  { name: 'eslint-disable', quiets: 'lint', pattern: /^\s*eslint-disable(-next-line|-line)?\b/ },
  {
    name: 'inline eslint configuration',
    quiets: 'lint',
    pattern: /^\s*eslint(-env\s+\w|\s+\{?\s*["'@\w/-]+\s*:)/,
    onlyBlock: true,
  },
  { name: 'a declared global', quiets: 'lint', pattern: DECLARED, onlyBlock: true },
];

const CAST: Kind = { name: 'a cast to any', quiets: 'types' };
const DOUBLE_CAST: Kind = { name: 'a cast through unknown', quiets: 'types' };
const AMBIENT: Kind = { name: 'an ambient any', quiets: 'types' };
const NEVER: Kind = { name: 'a cast to never', quiets: 'types' };
const NO_NULL: Kind = { name: 'a null that is asserted away', quiets: 'types' };
const DECLARED_VALUE: Kind = { name: 'an ambient declaration', quiets: 'types' };
const PARAMETER: Kind = { name: 'a parameter of type any', quiets: 'types' };
const DOCUMENTED: Kind = { name: 'any in a JSDoc type', quiets: 'types' };
const LITERAL: Kind = { name: 'a value read from a text without a type', quiets: 'types' };
const EMPTY_GUARD: Kind = { name: 'a type guard that checks nothing', quiets: 'types' };
const HELPER: Kind = { name: 'a function that returns whatever type its caller names', quiets: 'types' };
const DROPPED: Kind = { name: 'a value that loses its type on the way through a function', quiets: 'types' };
const RESULT: Kind = { name: 'a function that returns any', quiets: 'types' };
const LOOSE: Kind = { name: 'a type that accepts everything', quiets: 'types' };
const UNSET: Kind = { name: 'a variable that is only declared to be set', quiets: 'types' };
const TEXT_CODE: Kind = { name: 'code in a text', quiets: 'lint' };
const TEXT_VALUE: Kind = { name: 'a value that code in a text computes', quiets: 'types' };
const ANY_WITHIN: Kind = { name: 'any inside the type of a value', quiets: 'types' };
const ANNOTATION: Kind = { name: 'any instead of a type', quiets: 'types' };
const OVERPROMISE: Kind = {
  name: 'an overload that promises more than its function returns',
  quiets: 'types',
};
const RETYPED: Kind = { name: 'another type for a member of the language', quiets: 'types' };
const CLAIMS = { guard: EMPTY_GUARD, helper: HELPER, dropped: DROPPED, result: RESULT } as const;
const AWARE: Kind = { name: 'a check whether it is being tested', quiets: 'tests' };

const QUIETS = new Map(
  [
    ...COMMENTS,
    ...[CAST, DOUBLE_CAST, AMBIENT, ANNOTATION, AWARE],
    ...[NEVER, NO_NULL, DECLARED_VALUE, PARAMETER, DOCUMENTED],
    ...[LITERAL, EMPTY_GUARD, HELPER, DROPPED, RESULT, LOOSE, UNSET, TEXT_CODE, TEXT_VALUE, ANY_WITHIN],
    ...[OVERPROMISE, RETYPED],
  ].map(({ name, quiets }) => [name, quiets]),
);

/** Environment variables that only test runners set. */
const RUNNER_VARIABLE =
  /^(VITEST|VITEST_\w+|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|AVA_PATH|MOCHA_\w+)$/;

/** Comments about one line: the next one, or their own. */
const ONE_LINE = /^[\s*/]*@ts-(ignore|expect-error)\b|^\s*eslint-disable-(next-)?line\b/m;

const CODE = /\.[cm]?[jt]sx?$/;
/** A text without any match has no suppressions and is not parsed. */
const TRIGGER =
  /@ts-|eslint|\bglobals?\s|\bexported\s|\bany\b|\bunknown\b|\bnever\b|\b(null|undefined)\b|\w!\s*:|\bobject\b|@type\b|\bdeclare\b|\binterface\s+[A-Z]\w*(Constructor\b|<)|JSON\.parse|\bReflect\b|\barguments\b|\w[)\]]?!|<\w+|\beval\b|\bFunction\b|\b(is|asserts)\s|VITEST|JEST_|NODE_TEST|AVA_|MOCHA_/;

/** The check that suppressions of this kind affect. */
export function quietedBy(name: string): Quieted {
  return QUIETS.get(name)!;
}

/**
 * The suppressions in a source, by the syntax of comments and types. `base` is the earlier text of the file: a type that
 * became `any` since then counts. Of a text that cannot be parsed, only comments count.
 */
export function suppressionsIn(path: string, text: string, base = ''): Suppression[] {
  if (!CODE.test(path) || !TRIGGER.test(text)) return [];
  const lines = text.split('\n');
  const found: Suppression[] = [];
  const add = ({ name }: Kind, line: number): void =>
    void found.push({ kind: name, line: lines[line - 1]?.trim() ?? '', isForFile: false });
  const parsed = parsedOf(path, text);
  for (const comment of parsed?.comments ?? commentsIn(text)) {
    const { end } = comment.loc!;
    for (const kind of COMMENTS.filter((it) => isSuppression(comment, it))) {
      if (ONE_LINE.test(comment.value))
        add(kind, end.line + (/^\s*eslint-disable-line\b/.test(comment.value) ? 0 : 1));
      else found.push({ kind: kind.name, line: comment.value.trim(), isForFile: true });
    }
    if (isUntypedDoc(path, comment)) add(DOCUMENTED, end.line + 1);
  }
  if (parsed === undefined) return found;
  const isAmbientFile = /\.d\.[cm]?ts$/.test(path);
  const hasAny = /\bany\b/.test(base);
  const then = baseOf(base);
  const isTypeScript = /\.[cm]?tsx?$/.test(path) && !isAmbientFile;
  const surroundings = { isAmbientFile, unknowns: namesOfUnknown(parsed.root), ...namesIn(parsed.root) };
  visit(parsed.root, (node) => {
    const { line } = node.loc!.start;
    const kind = kindOf(node, surroundings) ?? looseKindOf(node, surroundings);
    if (kind !== undefined) add(kind, line);
    if (kind === TEXT_CODE) add(TEXT_VALUE, line);
    if (!hasAny && holdsAnyWithin(node)) add(ANY_WITHIN, line);
    for (const own of linesOfAnyParameters(node, then, surroundings.overloaded)) add(PARAMETER, own);
    if (isTypeScript && assertedAway(node, text, then)) add(NO_NULL, line);
    const claim = isTypeScript ? claimKindOf(node, then) : undefined;
    if (claim !== undefined) add(CLAIMS[claim], line);
  });
  if (isTypeScript) for (const line of linesOfOverpromises(parsed.root, text)) add(OVERPROMISE, line);
  for (const line of linesOfRetypedBuiltIns(parsed.root)) add(RETYPED, line);
  for (let left = lostTypes(path, parsed, base); left > 0; left--)
    found.push({ kind: ANNOTATION.name, line: '', isForFile: false });
  return found;
}

/** Comments of a text that no parser reads: for code that has others, a comment may stand where it means nothing. */
function commentsIn(text: string): Comment[] {
  return [...text.matchAll(/\/\/(.*)|\/\*([^]*?)\*\//g)].map((match) => {
    const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
    const loc = {
      start: { line: lineOf(match.index) },
      end: { line: lineOf(match.index + match[0].length) },
    };
    const isLine = match[1] !== undefined;
    return { type: isLine ? 'CommentLine' : 'CommentBlock', value: match[1] ?? match[2], loc } as Comment;
  });
}

/** A JSDoc cast or annotation of JavaScript that says `any`. */
function isUntypedDoc(path: string, { type, value }: Comment): boolean {
  return (
    /\.[cm]?jsx?$/.test(path) && type === 'CommentBlock' && /^\*[^]*@type\s*\{\s*(any|\*)\s*\}/.test(value)
  );
}

/** `const list: any[]`, `new Map<string, any>()`: the type of a value with `any` in it, but for types of functions. */
function holdsAnyWithin(node: Node): boolean {
  const types: (Node | null | undefined)[] = [];
  if (node.type === 'VariableDeclarator' || node.type === 'ClassProperty')
    types.push(annotationOf(node.type === 'ClassProperty' ? node : node.id));
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    types.push(node.typeParameters ?? (node as { typeArguments?: Node | null }).typeArguments);
  return types.some((type) => type !== null && type !== undefined && !isAny(type) && namesAny(type));
}

/** Variables that hold a value under the type `unknown`; results of calls need that type until they are checked. */
function namesOfUnknown(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  visit(root, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
    const isCast = isCastToUnknown(node.init);
    const inner = isCast && 'expression' in node.init ? (node.init.expression as Node) : node.init;
    const isUnknown = isCast || annotatedKeyword(node.id) === 'TSUnknownKeyword';
    if (isUnknown && !['CallExpression', 'AwaitExpression', 'NewExpression'].includes(inner.type))
      names.add(node.id.name);
  });
  return names;
}

function isSuppression(
  { type, value }: Comment,
  { pattern, onlyBlock = false }: (typeof COMMENTS)[number],
): boolean {
  return (!onlyBlock || type === 'CommentBlock') && pattern.test(value);
}

interface Surroundings {
  readonly isAmbientFile: boolean;
  /** Variables of type `unknown`. */
  readonly unknowns: ReadonlySet<string>;
  /** Constants that hold `null` or `undefined`. */
  readonly nothings: ReadonlySet<string>;
  /** Names of types that are `any` or `never`. */
  readonly loose: ReadonlySet<string>;
  /** Names of type parameters, and of parameters of type `unknown` behind a colon. */
  readonly generic: ReadonlySet<string>;
  /** Names of functions with overloads. */
  readonly overloaded: ReadonlySet<string>;
}

/** Names of a source whose meaning decides about other places. */
function namesIn(root: Node): Pick<Surroundings, 'nothings' | 'loose' | 'generic' | 'overloaded'> {
  const [nothings, loose, generic, overloaded] = [0, 1, 2, 3].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  visit(root, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && init && isNothing(init)) nothings.add(id.name);
    if (node.type === 'TSTypeAliasDeclaration' && isAnyType(node.typeAnnotation)) loose.add(node.id.name);
    if (node.type === 'TSDeclareFunction' && node.id) overloaded.add(node.id.name);
    if (node.type === 'TSTypeParameter') generic.add(nameOfParameter(node.name));
    if ('params' in node && Array.isArray(node.params))
      for (const it of node.params as Node[])
        if (it.type === 'Identifier' && annotatedKeyword(it) === 'TSUnknownKeyword')
          generic.add(`:${it.name}`);
  });
  return { nothings, loose, generic, overloaded };
}

function nameOfParameter(name: unknown): string {
  return typeof name === 'string' ? name : String((name as { name?: unknown }).name);
}

/** `any` or `never`, a member of a type with `any`, or the result of a function of the language that returns it. */
function isAnyType(node: Node): boolean {
  if (node.type === 'TSAnyKeyword' || node.type === 'TSNeverKeyword') return true;
  if (node.type === 'TSIndexedAccessType') return namesAny(node.objectType);
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') return false;
  const [first] = node.typeParameters?.params ?? [];
  if (node.typeName.name !== 'ReturnType' || first?.type !== 'TSTypeQuery') return false;
  const { exprName } = first;
  return exprName.type === 'TSQualifiedName'
    ? exprName.left.type === 'Identifier' && exprName.left.name === 'JSON'
    : exprName.type === 'Identifier' && exprName.name === 'eval';
}

function isReferenceTo(node: Node, names: ReadonlySet<string>): boolean {
  return (
    node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && names.has(node.typeName.name)
  );
}

/** Places by which a value gets a type that nothing has checked. */
function looseKindOf(
  node: Node,
  { nothings, loose, generic, isAmbientFile }: Surroundings,
): Kind | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion': {
      if (isReferenceTo(node.typeAnnotation, loose) || isAnyType(node.typeAnnotation)) return CAST;
      if (node.typeAnnotation.type === 'TSObjectKeyword') return LOOSE;
      const isUnknown = node.expression.type === 'Identifier' && generic.has(`:${node.expression.name}`);
      return isUnknown && isReferenceTo(node.typeAnnotation, generic) ? DOUBLE_CAST : undefined;
    }
    case 'TSNonNullExpression':
      return isNameOf(node.expression, nothings) ? NO_NULL : undefined;
    case 'TSTypeReference':
      return node.typeName.type === 'Identifier' && node.typeName.name === 'Function' ? LOOSE : undefined;
    case 'VariableDeclarator':
      return node.definite === true && !isAmbientFile ? UNSET : undefined;
    case 'CatchClause':
      return node.param && isAny(annotationOf(node.param)) ? PARAMETER : undefined;
    case 'CallExpression':
      return textKindOf(node.callee, node.arguments[0]);
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'Function' ? TEXT_CODE : undefined;
    default:
      return undefined;
  }
}

/** `JSON.parse` of a text in the source, and `eval` under any name of the language. */
function textKindOf(callee: Node, first: Node | undefined): Kind | undefined {
  const inner = callee.type === 'ParenthesizedExpression' ? callee.expression : callee;
  const called = inner.type === 'SequenceExpression' ? inner.expressions.at(-1)! : inner;
  if (called.type === 'Identifier') return ['eval', 'Function'].includes(called.name) ? TEXT_CODE : undefined;
  if (called.type !== 'MemberExpression' || called.property.type !== 'Identifier') return undefined;
  const isParse =
    called.object.type === 'Identifier' && called.object.name === 'JSON' && called.property.name === 'parse';
  return isParse && /^(StringLiteral|TemplateLiteral)$/.test(first?.type ?? '') ? LITERAL : undefined;
}

function kindOf(node: Node, { isAmbientFile, unknowns, overloaded }: Surroundings): Kind | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (node.typeAnnotation.type === 'TSAnyKeyword') return CAST;
      if (node.typeAnnotation.type === 'TSNeverKeyword') return NEVER;
      return isCastToUnknown(node.expression) || isNameOf(node.expression, unknowns)
        ? DOUBLE_CAST
        : undefined;
    case 'TSNonNullExpression':
      return isNothing(node.expression) ? NO_NULL : undefined;
    case 'TSModuleDeclaration':
      return node.id.type === 'StringLiteral' && !(node.body as Node | null | undefined)
        ? AMBIENT
        : undefined;
    case 'VariableDeclaration': {
      const isAmbient = node.declare === true || isAmbientFile;
      if (isAmbient && node.declarations.some(({ id }) => isAny(annotationOf(id)))) return AMBIENT;
      return node.declare === true ? DECLARED_VALUE : undefined;
    }
    case 'ClassDeclaration':
      return node.declare === true ? DECLARED_VALUE : undefined;
    case 'TSDeclareFunction':
      if (isAny(node.returnType ?? undefined)) return AMBIENT;
      return node.declare === true ? DECLARED_VALUE : undefined;
    case 'FunctionDeclaration':
      return overloaded.has(node.id?.name ?? '') && /^TS(Unknown|Any)Keyword$/.test(resultKeyword(node) ?? '')
        ? LOOSE
        : undefined;
    case 'Identifier':
      return RUNNER_VARIABLE.test(node.name) ? AWARE : undefined;
    case 'StringLiteral':
      return RUNNER_VARIABLE.test(node.value) ? AWARE : undefined;
    default:
      return undefined;
  }
}

function resultKeyword(node: { readonly returnType?: Node | null }): string | undefined {
  const annotation = node.returnType;
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation.type : undefined;
}

function isCastToUnknown(node: Node): boolean {
  const inner = node.type === 'ParenthesizedExpression' ? node.expression : node;
  const isCast = inner.type === 'TSAsExpression' || inner.type === 'TSTypeAssertion';
  return isCast && inner.typeAnnotation.type === 'TSUnknownKeyword';
}

function isNameOf(node: Node, names: ReadonlySet<string>): boolean {
  return node.type === 'Identifier' && names.has(node.name);
}

/** `null` or `undefined`. */
function isNothing(node: Node): boolean {
  const inner = node.type === 'ParenthesizedExpression' ? node.expression : node;
  return inner.type === 'NullLiteral' || (inner.type === 'Identifier' && inner.name === 'undefined');
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
