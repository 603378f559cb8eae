import type { Node } from '@babel/types';
import { childNodes } from '../../../platform/syntax/child-nodes.ts';
import { losesType } from './lost-type.ts';
import { annotatedKeyword, annotationOf, isAny, visit } from './type-syntax.ts';

/** What the earlier text of a file shows. */
export interface BaseText {
  readonly text: string;
  /** It has a parameter, or a function's result, with the type `any`. */
  readonly hasAnyParameter: boolean;
  readonly hasAnyResult: boolean;
}

/**
 * A place that claims a type which nothing checks: a type guard that does not look at its argument, a function that returns
 * the type that its caller names, a value that loses its type on the way through a function, a function that returns `any`.
 */
export type Claim = 'guard' | 'helper' | 'dropped' | 'result';

/** The facts about the earlier text of a file; an empty text for a new one. */
export function baseOf(text: string): BaseText {
  return {
    text,
    hasAnyParameter: /[(,]\s*\w+\??\s*:\s*any\b/.test(text),
    hasAnyResult: /\)\s*:\s*(Promise<)?any\b/.test(text),
  };
}

/** The claim that a node of TypeScript makes; undefined for none. */
export function claimKindOf(node: Node, base: BaseText): Claim | undefined {
  if (node.type === 'VariableDeclarator')
    return isPlainType(annotationOf(node.id)) && losesType(node.init) ? 'dropped' : undefined;
  if (!('params' in node) || !('body' in node)) return undefined;
  if (checksNothing(node)) return 'guard';
  if (returnsAskedType(node)) return 'helper';
  if (isPlainType(annotationOf(node)) && resultsOf(node).some(losesType)) return 'dropped';
  return !base.hasAnyResult && returnsAny(node) ? 'result' : undefined;
}

/**
 * Lines of the parameters with the type `any`: where the base has such a parameter in the file, only of functions that
 * return it as it is.
 */
export function linesOfAnyParameters(node: Node, base: BaseText, overloaded: ReadonlySet<string>): number[] {
  if (!('params' in node) || !Array.isArray(node.params)) return [];
  const isOverloaded = node.type === 'FunctionDeclaration' && overloaded.has(node.id?.name ?? '');
  return (node.params as Node[])
    .map((it) => (it.type === 'AssignmentPattern' ? it.left : it))
    .filter((it) => (it.type === 'Identifier' || it.type === 'ObjectPattern') && isAny(annotationOf(it)))
    .filter(
      (it) =>
        !base.hasAnyParameter || (it.type === 'Identifier' && !isOverloaded && isReturnedBy(node, it.name)),
    )
    .map((it) => it.loc!.start.line);
}

/** `user.name!` where the base has `user.name` and nowhere says that it is there. */
export function assertedAway(node: Node, text: string, base: BaseText): boolean {
  if (node.type !== 'TSNonNullExpression') return false;
  const operand = text.slice(node.expression.start!, node.expression.end!);
  const found = base.text.split(operand).slice(1);
  const isWord = (rest: string): boolean => !/^[\w$]/.test(rest) || /[^\w$]$/.test(operand);
  return found.some(isWord) && !found.some((rest) => /^!(?!=)/.test(rest));
}

/** A function `x is T` or `asserts x is T` that does not look at `x`, or only whether it is there. */
function checksNothing(node: Node): boolean {
  const annotation = annotationOf(node);
  const predicate = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  if (predicate?.type !== 'TSTypePredicate' || predicate.parameterName.type !== 'Identifier') return false;
  const { name } = predicate.parameterName;
  const { params, body } = node as unknown as { params: Node[]; body: Node };
  if (isAlwaysTrue(body) || !names(body, name)) return true;
  const own = params.find((it) => it.type === 'Identifier' && it.name === name);
  const said = predicate.typeAnnotation ? annotatedType(predicate.typeAnnotation) : undefined;
  if (own === undefined || said === undefined || isNullish(said) || !isOpen(own)) return false;
  return !looksInto(body, name);
}

/** A body whose every result is `true`, and that never throws. */
function isAlwaysTrue(body: Node): boolean {
  const results: (Node | null | undefined)[] = body.type === 'BlockStatement' ? [] : [body];
  let mayEnd = false;
  visit(body, (inner) => {
    if (inner.type === 'ReturnStatement') results.push(inner.argument);
    if (inner.type === 'ThrowStatement' || inner.type === 'CallExpression') mayEnd = true;
  });
  const isTrue = (it: Node | null | undefined): boolean => it?.type === 'BooleanLiteral' && it.value;
  return !mayEnd && results.length > 0 && results.every(isTrue);
}

/** Whether a body asks for more than the presence of a value: each other use of its name counts. */
function looksInto(body: Node, name: string): boolean {
  const uses = (node: Node, isPresence: boolean): boolean => {
    if (node.type === 'Identifier') return node.name === name && !isPresence;
    const isPart = /^(LogicalExpression|ParenthesizedExpression)$/.test(node.type);
    return childNodes(node).some((child) => uses(child, isPart ? isPresence : asksPresence(node, child)));
  };
  return uses(body, true);
}

/** Whether a node needs no more of its part than whether it is there. */
function asksPresence(node: Node, part: Node): boolean {
  switch (node.type) {
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === 'void';
    case 'BinaryExpression': {
      const other = node.left === part ? node.right : node.left;
      return /^[!=]==?$/.test(node.operator) && (isNothing(other) || isSameName(other, part));
    }
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'Boolean';
    case 'IfStatement':
    case 'ConditionalExpression':
      return node.test === part;
    default:
      return /^(LogicalExpression|ExpressionStatement|ReturnStatement|ParenthesizedExpression)$/.test(
        node.type,
      );
  }
}

function isSameName(a: Node, b: Node): boolean {
  return a.type === 'Identifier' && b.type === 'Identifier' && a.name === b.name;
}

function isNothing(node: Node): boolean {
  return (
    node.type === 'NullLiteral' ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void')
  );
}

/** `<T>(x: unknown): T`: the type of the result is named by the caller, and no argument is of that type. */
function returnsAskedType(node: Node): boolean {
  const { typeParameters, params } = node as unknown as { typeParameters?: Node | null; params: Node[] };
  const result = annotationOf(node);
  if (typeParameters?.type !== 'TSTypeParameterDeclaration' || result?.type !== 'TSTypeAnnotation')
    return false;
  const asked = typeParameters.params.map(({ name }) => (typeof name === 'string' ? name : nameIn(name)));
  const returned = asked.filter((name) => isNamed(result.typeAnnotation, name));
  const isGiven = (name: string): boolean => params.some((it) => refersTo(annotationOf(it), name));
  const tellsNothing = (it: Node): boolean =>
    isOpen(it) || asked.some((name) => refersTo(annotationOf(it), name));
  return returned.some((name) => !isGiven(name)) && params.length > 0 && params.every(tellsNothing);
}

/** The type itself, or a promise of it. */
function isNamed(type: Node, name: string): boolean {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return false;
  if (type.typeName.name === name) return true;
  const [inner] = type.typeParameters?.params ?? [];
  return type.typeName.name === 'Promise' && inner !== undefined && isNamed(inner, name);
}

function nameIn(name: unknown): string {
  return String((name as { name?: unknown }).name);
}

function refersTo(type: Node | undefined, name: string): boolean {
  if (type === undefined) return false;
  if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === name)
    return true;
  return childNodes(type).some((child) => refersTo(child, name));
}

/** A parameter of the type `unknown`, `any`, `object` or `{}`. */
function isOpen(parameter: Node): boolean {
  const keyword = annotatedKeyword(parameter);
  if (/^TS(Unknown|Any|Object)Keyword$/.test(keyword ?? '')) return true;
  const type = annotatedType(annotationOf(parameter));
  return type?.type === 'TSTypeLiteral' && type.members.length === 0;
}

function annotatedType(annotation: Node | undefined): Node | undefined {
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
}

/** A type for which it is enough that the value is there. */
function isNullish(type: Node): boolean {
  if (/^TS(Unknown|Any|Null|Undefined)Keyword$/.test(type.type)) return true;
  if (type.type === 'TSTypeLiteral') return type.members.length === 0;
  return (
    type.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    type.typeName.name === 'NonNullable'
  );
}

function returnsAny(node: Node): boolean {
  const type = annotatedType(annotationOf(node));
  if (type?.type === 'TSAnyKeyword') return true;
  const isPromise =
    type?.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    type.typeName.name === 'Promise';
  return isPromise && type.typeParameters?.params[0]?.type === 'TSAnyKeyword';
}

function isReturnedBy(node: Node, name: string): boolean {
  return resultsOf(node).some((it) => it.type === 'Identifier' && it.name === name);
}

/** What a function returns at the end of its body, or as its body. */
function resultsOf(node: Node): Node[] {
  const { body } = node as { readonly body?: Node | null };
  if (body === undefined || body === null) return [];
  if (body.type !== 'BlockStatement') return [body];
  return body.body.flatMap((it) => (it.type === 'ReturnStatement' && it.argument ? [it.argument] : []));
}

/** A number, text or truth value: nobody copies one by way of a function that has the type `any`. */
function isPlainType(annotation: Node | undefined): boolean {
  return /^TS(Number|String|Boolean|BigInt)Keyword$/.test(annotatedType(annotation)?.type ?? '');
}

function names(node: Node, name: string): boolean {
  let isNamedIn = false;
  visit(node, (inner) => {
    if (inner.type === 'Identifier' && inner.name === name) isNamedIn = true;
  });
  return isNamedIn;
}
