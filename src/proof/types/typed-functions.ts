import type { Node, Statement } from '@babel/types';
import { parseSource } from '../../repair/syntax/parse.ts';
import { examplesOf, type Examples, type KnownTypes } from './example-values.ts';

/** An exported function whose type says that it never returns nothing. */
export interface TypedFunction {
  readonly name: string;
  /** Its declared type of results, as the source writes it. */
  readonly returns: string;
  /** First and last line, 1-based. */
  readonly lines: readonly [first: number, last: number];
  /** For each parameter, values of its type. */
  readonly parameters: readonly Examples[];
}

/** The exported functions of a text with declared types that plain values can be made for. */
export function typedFunctions(file: string, text: string): TypedFunction[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const { body } = parsed.tree.program;
  const known = { byName: new Map(body.flatMap(typeAt)), depth: 0 };
  return body.flatMap((statement) => functionsAt(statement, text, known));
}

/** Names and line ranges of all exported functions of a text. */
export function exportedFunctionLines(file: string, text: string): Map<string, readonly [number, number]> {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return new Map();
  return new Map(
    parsed.tree.program.body.flatMap((it) =>
      exportedAt(it).map(({ name, fn }) => [name, linesOf(fn)] as const),
    ),
  );
}

function typeAt(statement: Statement): [string, Node][] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  const isType = declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration';
  return isType ? [[declared.id.name, declared]] : [];
}

interface Exported {
  readonly name: string;
  readonly fn: Extract<Node, { params: unknown; async?: boolean | null }>;
}

function exportedAt(statement: Statement): Exported[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = statement;
  if (declaration?.type === 'FunctionDeclaration' && declaration.id)
    return [{ name: declaration.id.name, fn: declaration }];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' &&
    (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
      ? [{ name: id.name, fn: init }]
      : [],
  );
}

function linesOf(fn: Node): readonly [number, number] {
  return [fn.loc!.start.line, fn.loc!.end.line];
}

function functionsAt(statement: Statement, text: string, known: KnownTypes): TypedFunction[] {
  return exportedAt(statement).flatMap(({ name, fn }) => {
    const declared =
      'returnType' in fn && fn.returnType?.type === 'TSTypeAnnotation'
        ? fn.returnType.typeAnnotation
        : undefined;
    if (declared === undefined || ('generator' in fn && fn.generator === true)) return [];
    if (mayBeNothing(settledType(declared), known)) return [];
    const parameters = fn.params.map((param) => parameterExamples(param, known));
    if (parameters.some((it) => it === undefined)) return [];
    const returns = text.slice(declared.start!, declared.end!);
    return [{ name, returns, lines: linesOf(fn), parameters: parameters as Examples[] }];
  });
}

/** `T` of `Promise<T>`. */
function settledType(type: Node): Node {
  const isPromise =
    type.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    type.typeName.name === 'Promise';
  return isPromise ? (type.typeParameters?.params[0] ?? type) : type;
}

/** True unless the type is known to exclude `undefined` and `null`. */
function mayBeNothing(type: Node, known: KnownTypes): boolean {
  switch (type.type) {
    case 'TSStringKeyword':
    case 'TSNumberKeyword':
    case 'TSBooleanKeyword':
    case 'TSArrayType':
    case 'TSTypeLiteral':
    case 'TSLiteralType':
    case 'TSInterfaceDeclaration':
    case 'TSTupleType':
      return false;
    case 'TSParenthesizedType':
    case 'TSTypeAliasDeclaration':
      return mayBeNothing(type.typeAnnotation, known);
    case 'TSUnionType':
      return type.types.some((it) => mayBeNothing(it, known));
    case 'TSTypeReference': {
      if (type.typeName.type !== 'Identifier') return true;
      const { name } = type.typeName;
      if (/^(Map|Set|Date|RegExp|(Readonly)?Array|Record)$/.test(name)) return false;
      const declared = known.byName.get(name);
      return declared === undefined || mayBeNothing(declared, known);
    }
    default:
      return true;
  }
}

function parameterExamples(param: Node, known: KnownTypes): Examples | undefined {
  if (param.type === 'AssignmentPattern') return [undefined];
  if (param.type !== 'Identifier') return undefined;
  if (param.optional === true) return [undefined];
  const type =
    param.typeAnnotation?.type === 'TSTypeAnnotation' ? param.typeAnnotation.typeAnnotation : undefined;
  return type && examplesOf(type, known);
}
