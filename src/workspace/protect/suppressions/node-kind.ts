import type { MemberExpression, Node, OptionalMemberExpression } from '@babel/types';
import { KINDS, type Kind } from './kinds.ts';
import { isAnyType, isCastToUnknown, isNothing, type Surroundings } from './source-names.ts';
import { annotationOf, isAny, namesAny } from './type-syntax.ts';

/** Environment variables that only test runners set. */
const RUNNER_VARIABLE =
  /^(VITEST|VITEST_\w+|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|AVA_PATH|MOCHA_\w+)$/;

/** Globals of test runners that a product does not have under these names. */
const RUNNER_HOOK = /^(before|after)(Each|All)$/;
/** Further ones, which count as members of the global object. */
const RUNNER_GLOBAL =
  /^((before|after)(Each|All)|describe|it|test|suite|specify|expect|jest|vi|vitest|mocha|jasmine)$/;

/** Suppressions that a place states by itself. */
export function kindOf(
  node: Node,
  { isAmbientFile, unknowns, overloaded, bound }: Surroundings,
): Kind | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (node.typeAnnotation.type === 'TSAnyKeyword') return KINDS.CAST;
      if (node.typeAnnotation.type === 'TSNeverKeyword') return KINDS.NEVER;
      return isCastToUnknown(node.expression) || isNameOf(node.expression, unknowns)
        ? KINDS.DOUBLE_CAST
        : undefined;
    case 'TSNonNullExpression':
      return isNothing(node.expression) ? KINDS.NO_NULL : undefined;
    case 'TSModuleDeclaration':
      return node.id.type === 'StringLiteral' && !(node.body as Node | null | undefined)
        ? KINDS.AMBIENT
        : undefined;
    case 'VariableDeclaration': {
      const isAmbient = node.declare === true || isAmbientFile;
      if (isAmbient && node.declarations.some(({ id }) => isAny(annotationOf(id)))) return KINDS.AMBIENT;
      return node.declare === true ? KINDS.DECLARED_VALUE : undefined;
    }
    case 'ClassDeclaration':
      return node.declare === true ? KINDS.DECLARED_VALUE : undefined;
    case 'TSDeclareFunction':
      if (isAny(node.returnType ?? undefined)) return KINDS.AMBIENT;
      return node.declare === true ? KINDS.DECLARED_VALUE : undefined;
    case 'FunctionDeclaration':
      return overloaded.has(node.id?.name ?? '') && /^TS(Unknown|Any)Keyword$/.test(resultKeyword(node) ?? '')
        ? KINDS.LOOSE
        : undefined;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return isRunnerGlobal(node) ? KINDS.AWARE : undefined;
    case 'CallExpression':
      return isRunnerHook(node.callee, bound) ? KINDS.AWARE : undefined;
    case 'UnaryExpression':
      return node.operator === 'typeof' && isRunnerHook(node.argument, bound) ? KINDS.AWARE : undefined;
    case 'Identifier':
      return RUNNER_VARIABLE.test(node.name) ? KINDS.AWARE : undefined;
    case 'StringLiteral':
      return RUNNER_VARIABLE.test(node.value) ? KINDS.AWARE : undefined;
    default:
      return undefined;
  }
}

/** The name of a hook that is a global. */
function isRunnerHook(node: Node, bound: ReadonlySet<string>): boolean {
  return node.type === 'Identifier' && RUNNER_HOOK.test(node.name) && !bound.has(node.name);
}

/** `globalThis.describe` or `global['expect']`. */
function isRunnerGlobal({
  object,
  property,
  computed,
}: MemberExpression | OptionalMemberExpression): boolean {
  if (object.type !== 'Identifier' || !/^(globalThis|global)$/.test(object.name)) return false;
  if (property.type === 'StringLiteral') return RUNNER_GLOBAL.test(property.value);
  return !computed && property.type === 'Identifier' && RUNNER_GLOBAL.test(property.name);
}

/** Places by which a value gets a type that nothing has checked. */
export function looseKindOf(
  node: Node,
  { nothings, loose, generic, isAmbientFile }: Surroundings,
): Kind | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion': {
      if (isReferenceTo(node.typeAnnotation, loose) || isAnyType(node.typeAnnotation)) return KINDS.CAST;
      if (node.typeAnnotation.type === 'TSObjectKeyword') return KINDS.LOOSE;
      const isUnknown = node.expression.type === 'Identifier' && generic.has(`:${node.expression.name}`);
      return isUnknown && isReferenceTo(node.typeAnnotation, generic) ? KINDS.DOUBLE_CAST : undefined;
    }
    case 'TSNonNullExpression':
      return isNameOf(node.expression, nothings) ? KINDS.NO_NULL : undefined;
    case 'TSTypeReference':
      return node.typeName.type === 'Identifier' && node.typeName.name === 'Function'
        ? KINDS.LOOSE
        : undefined;
    case 'VariableDeclarator':
      return node.definite === true && !isAmbientFile ? KINDS.UNSET : undefined;
    case 'CatchClause':
      return node.param && isAny(annotationOf(node.param)) ? KINDS.PARAMETER : undefined;
    case 'CallExpression':
      return textKindOf(node.callee, node.arguments[0]);
    case 'NewExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'Function'
        ? KINDS.TEXT_CODE
        : undefined;
    default:
      return undefined;
  }
}

/** `JSON.parse` of a text in the source, and `eval` under any name of the language. */
function textKindOf(callee: Node, first: Node | undefined): Kind | undefined {
  const inner = callee.type === 'ParenthesizedExpression' ? callee.expression : callee;
  const called = inner.type === 'SequenceExpression' ? inner.expressions.at(-1)! : inner;
  if (called.type === 'Identifier')
    return ['eval', 'Function'].includes(called.name) ? KINDS.TEXT_CODE : undefined;
  if (called.type !== 'MemberExpression' || called.property.type !== 'Identifier') return undefined;
  const isParse =
    called.object.type === 'Identifier' && called.object.name === 'JSON' && called.property.name === 'parse';
  return isParse && /^(StringLiteral|TemplateLiteral)$/.test(first?.type ?? '') ? KINDS.LITERAL : undefined;
}

/** `const list: any[]`, `new Map<string, any>()`: the type of a value with `any` in it, but for types of functions. */
export function holdsAnyWithin(node: Node): boolean {
  const types: (Node | null | undefined)[] = [];
  if (node.type === 'VariableDeclarator' || node.type === 'ClassProperty')
    types.push(annotationOf(node.type === 'ClassProperty' ? node : node.id));
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    types.push(node.typeParameters ?? (node as { typeArguments?: Node | null }).typeArguments);
  return types.some((type) => type !== null && type !== undefined && !isAny(type) && namesAny(type));
}

function resultKeyword(node: { readonly returnType?: Node | null }): string | undefined {
  const annotation = node.returnType;
  return annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation.type : undefined;
}

function isNameOf(node: Node, names: ReadonlySet<string>): boolean {
  return node.type === 'Identifier' && names.has(node.name);
}

function isReferenceTo(node: Node, names: ReadonlySet<string>): boolean {
  return (
    node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && names.has(node.typeName.name)
  );
}
