import type { ClassDeclaration, Node, Statement } from '@babel/types';
import { parseSource } from '../../repair/syntax/parse.ts';
import { examplesOf, type Examples, type KnownTypes } from './example-values.ts';
import { unfitPart } from './unfit-results.ts';

/** An exported function, or a method of an exported class, whose type says that it never returns nothing. */
export interface TypedFunction {
  readonly name: string;
  /** For a method: the class, and values for the parameters of its constructor. */
  readonly of?: { readonly name: string; readonly parameters: readonly Examples[] } | undefined;
  /** Its declared type of results, as the source writes it. */
  readonly returns: string;
  /** For each parameter, values of its type. */
  readonly parameters: readonly Examples[];
  /** The part of a result (a text of `encodeValue`) that the type excludes; undefined if there is none. */
  readonly unfitIn: (result: string) => string | undefined;
}

/** The exported functions of a text with declared types that plain values can be made for. */
export function typedFunctions(file: string, text: string): TypedFunction[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const { body } = parsed.tree.program;
  const known = { byName: new Map(body.flatMap(typeAt)), depth: 0 };
  return body.flatMap((statement) => functionsAt(statement, text, known));
}

/** First and last lines (1-based) of all exported functions and methods of a text, by `fullName`. */
export function exportedFunctionLines(file: string, text: string): Map<string, readonly [number, number]> {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return new Map();
  const all = parsed.tree.program.body.flatMap(exportedAt);
  return new Map(
    all.map(({ name, fn, type }) => [
      fullName({ name, of: type && { name: type.id!.name, parameters: [] } }),
      linesOf(fn),
    ]),
  );
}

function typeAt(statement: Statement): [string, Node][] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  const isType = declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration';
  return isType ? [[declared.id.name, declared]] : [];
}

type Function = Extract<Node, { params: unknown; async?: boolean | null }>;

interface Exported {
  readonly name: string;
  readonly fn: Function;
  /** The class that has the method. */
  readonly type?: ClassDeclaration;
}

/** Name by which a function of one text is found in another one. */
export function fullName({ name, of }: Pick<TypedFunction, 'name' | 'of'>): string {
  return of === undefined ? name : `${of.name}.${name}`;
}

function exportedAt(statement: Statement): Exported[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = statement;
  if (declaration?.type === 'ClassDeclaration') return methodsOf(declaration);
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

function methodsOf(type: ClassDeclaration): Exported[] {
  if (!type.id || type.abstract === true || type.superClass) return [];
  return type.body.body.flatMap((it) =>
    it.type === 'ClassMethod' && it.kind === 'method' && !it.static && it.key.type === 'Identifier'
      ? [{ name: it.key.name, fn: it, type }]
      : [],
  );
}

function linesOf(fn: Node): readonly [number, number] {
  return [fn.loc!.start.line, fn.loc!.end.line];
}

function functionsAt(statement: Statement, text: string, known: KnownTypes): TypedFunction[] {
  return exportedAt(statement).flatMap(({ name, fn, type }) => {
    const declared =
      'returnType' in fn && fn.returnType?.type === 'TSTypeAnnotation'
        ? fn.returnType.typeAnnotation
        : undefined;
    if (declared === undefined || ('generator' in fn && fn.generator === true)) return [];
    if (mayBeNothing(settledType(declared), known)) return [];
    const parameters = parametersOf(fn, known);
    const of = type && { name: type.id!.name, parameters: parametersOf(constructorOf(type), known) };
    const unfitIn = (result: string): string | undefined => unfitPart(settledType(declared), result, known);
    if (parameters === undefined || (of !== undefined && of.parameters === undefined)) return [];
    const returns = text.slice(declared.start!, declared.end!);
    return [{ name, returns, parameters, of: of as TypedFunction['of'], unfitIn }];
  });
}

function constructorOf(type: ClassDeclaration): Function | undefined {
  return type.body.body.find((it) => it.type === 'ClassMethod' && it.kind === 'constructor') as
    Function | undefined;
}

/** Values for each parameter; undefined if there are none for one of them. */
function parametersOf(fn: Function | undefined, known: KnownTypes): readonly Examples[] | undefined {
  const found = (fn?.params ?? []).map((param) => parameterExamples(param, known));
  return found.some((it) => it === undefined) ? undefined : (found as Examples[]);
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
  if (param.type === 'TSParameterProperty') return parameterExamples(param.parameter, known);
  if (param.type === 'AssignmentPattern') return [undefined];
  if (param.type !== 'Identifier') return undefined;
  if (param.optional === true) return [undefined];
  const type =
    param.typeAnnotation?.type === 'TSTypeAnnotation' ? param.typeAnnotation.typeAnnotation : undefined;
  return type && examplesOf(type, known);
}
