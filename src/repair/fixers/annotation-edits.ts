import type { Node } from '@babel/types';
import { childNodes } from '../../platform/syntax/child-nodes.ts';
import { applyEdits, type TextEdit } from '../syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../syntax/parse.ts';
import { membersOf, typesIn, wordsOf } from './named-types.ts';

/** A change of a type annotation. */
export interface AnnotationEdit {
  /** The file's text with the change. */
  readonly text: string;
  /** The change as `before → after`. */
  readonly description: string;
  /** How natural it is, 0..1. */
  readonly prior: number;
}

/** The declarations whose annotations may be wrong. */
export interface AnnotationRequest {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
  /** Offsets at which declarations or their parts begin. */
  readonly offsets: readonly number[];
  /** The checker's message, with the types that it expected and found. */
  readonly message: string;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSVoidKeyword: 'void',
  TSUndefinedKeyword: 'undefined',
  TSNullKeyword: 'null',
  TSBigIntKeyword: 'bigint',
  TSSymbolKeyword: 'symbol',
};
const OTHERS = ['string', 'number', 'boolean', 'true', 'undefined', 'null', 'void'];
const MAX_DEPTH = 400;

/**
 * Changes of the annotations of the declarations at the offsets, most natural first: the types that the message names,
 * an optional value, a missing member of a union, an array, a type predicate, a constraint. Code is never changed, so
 * that no edit can change what a program does. Empty for files that do not parse.
 */
export function proposeAnnotationEdits(request: AnnotationRequest): AnnotationEdit[] {
  const source = parseSource(request.file, request.text);
  if ('problem' in source) return [];
  const named = typesIn(request.message);
  const places = new Set<Place>();
  for (const offset of request.offsets) for (const place of placesAt(source, offset)) places.add(place);
  const edits = [...places].flatMap((place) => editsOf(source, place, named));
  const unique = new Map<string, AnnotationEdit>();
  for (const { edit, prior } of edits.sort((a, b) => b.prior - a.prior)) {
    const text = applyEdits(request.text, [edit]);
    if (unique.has(text) || text === request.text) continue;
    const before = request.text.slice(edit.start, edit.end) || '(nothing)';
    unique.set(text, { text, description: `${before} → ${edit.replacement || '(nothing)'}`, prior });
  }
  return [...unique.values()];
}

/** A declaration with annotations. */
type Place = Node;

interface RankedEdit {
  readonly edit: TextEdit;
  readonly prior: number;
}

const DECLARATIONS = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassProperty',
  'ClassPrivateProperty',
  'TSPropertySignature',
  'TSMethodSignature',
  'TSIndexSignature',
  'TSDeclareFunction',
  'TSDeclareMethod',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSParameterProperty',
  'TSTypeParameter',
]);

/** The declarations around the offset that begin nearest before it: the innermost ones, with the function around them. */
function placesAt({ tree }: ParsedSource, offset: number): Place[] {
  const around: Node[] = [];
  let function_: Node | undefined;
  let depth = 0;
  for (let node: Node | undefined = tree.program; node !== undefined && depth < MAX_DEPTH; depth++) {
    if (DECLARATIONS.has(node.type)) around.unshift(node);
    if (/Function|Method$/.test(node.type)) function_ = node;
    node = childNodes(node).find((child) => startOf(child) <= offset && offset <= endOf(child));
  }
  const nearest = around.slice(0, 2);
  return function_ === undefined ? nearest : [...new Set([...nearest, function_])];
}

/** Annotations of a declaration that lie in its head and not in its body. */
function headNodes(place: Place): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    found.push(node);
    for (const child of childNodes(node))
      if (!/^(BlockStatement|TSInterfaceBody|ClassBody)$/.test(child.type) && child !== bodyOf(node))
        visit(child);
  };
  visit(place);
  return found;
}

function bodyOf(node: Node): Node | null | undefined {
  if (node.type === 'VariableDeclarator') return node.init;
  if (node.type === 'ArrowFunctionExpression') return node.body;
  return node.type === 'ClassProperty' || node.type === 'ClassPrivateProperty' ? node.value : undefined;
}

function editsOf(source: ParsedSource, place: Place, named: readonly string[]): RankedEdit[] {
  const { text } = source;
  const slice = (node: Node): string => text.slice(startOf(node), endOf(node));
  return headNodes(place).flatMap((node): RankedEdit[] => {
    switch (node.type) {
      case 'TSTypeAnnotation':
        return wholeEdits(node.typeAnnotation, { named, slice, place });
      case 'TSTypeAliasDeclaration':
        return wholeEdits(node.typeAnnotation, { named, slice, place });
      case 'TSTypeParameter':
        return constraintEdits(node, { named, slice });
      case 'Identifier':
        return node.typeAnnotation && node.optional !== true && isParameter(place, node)
          ? [
              insertion(
                endOf(node.typeAnnotation) - slice(node.typeAnnotation).length,
                '?',
                hasUndefined(named) ? 0.86 : 0.3,
              ),
            ]
          : [];
      case 'TSPropertySignature':
        return node.optional === true
          ? []
          : [insertion(endOf(node.key), '?', hasUndefined(named) ? 0.86 : 0.3)];
      default:
        return partEdits(node, { named, slice });
    }
  });
}

interface Reading {
  readonly named: readonly string[];
  readonly slice: (node: Node) => string;
}

function insertion(at: number, replacement: string, prior: number): RankedEdit {
  return { edit: { start: at, end: at, replacement }, prior };
}

function replacing(node: Node, replacement: string, prior: number): RankedEdit {
  return { edit: { start: startOf(node), end: endOf(node), replacement }, prior };
}

function hasUndefined(named: readonly string[]): boolean {
  return named.some((type) => /\bundefined\b/.test(type));
}

function isParameter(place: Place, node: Node): boolean {
  return 'params' in place && Array.isArray(place.params) && (place.params as Node[]).includes(node);
}

/** Edits of a whole annotation. */
function wholeEdits(node: Node, { named, slice, place }: Reading & { readonly place: Place }): RankedEdit[] {
  const own = slice(node);
  const wide = isCompound(node) ? `(${own})` : own;
  const edits: RankedEdit[] = [];
  for (const type of named) {
    if (type === own) continue;
    const isKeyword = OTHERS.includes(type) && node.type in KEYWORDS;
    const isWider = membersOf(type).includes(own);
    edits.push(replacing(node, type, isWider ? 0.92 : isKeyword ? 0.9 : 0.6));
    if (!isWider && !membersOf(own).includes(type)) edits.push(replacing(node, `${wide} | ${type}`, 0.5));
  }
  if (!membersOf(own).includes('undefined'))
    edits.push(replacing(node, `${wide} | undefined`, hasUndefined(named) ? 0.9 : 0.2));
  if (!membersOf(own).includes('null')) {
    const isNamed = named.some((type) => /\bnull\b/.test(type));
    edits.push(replacing(node, `${wide} | null`, isNamed ? 0.88 : 0.2));
  }
  if (node.type === 'TSBooleanKeyword') edits.push(...predicateEdits(node, place, named));
  return edits;
}

/** `boolean` becomes `value is Type` for the function's parameters and the types that the message names. */
function predicateEdits(node: Node, place: Place, named: readonly string[]): RankedEdit[] {
  if (!('params' in place) || !Array.isArray(place.params)) return [];
  const names = (place.params as Node[]).flatMap((param) =>
    param.type === 'Identifier' ? [param.name] : [],
  );
  const types = [...new Set(named.flatMap((type) => [type, ...membersOf(type)]))];
  return names.flatMap((name) => types.map((type) => replacing(node, `${name} is ${type}`, 0.62)));
}

/** Edits of a part of an annotation. */
function partEdits(node: Node, { named, slice }: Reading): RankedEdit[] {
  if (node.type in KEYWORDS || node.type === 'TSLiteralType') {
    const own = slice(node);
    const isNamed = (type: string): boolean => named.some((text) => wordsOf(text).includes(type));
    return OTHERS.filter((type) => type !== own).map((type) =>
      replacing(node, type, isNamed(type) ? 0.7 : 0.25),
    );
  }
  if (node.type === 'TSArrayType') return [replacing(node, slice(node.elementType), 0.4)];
  if (node.type === 'TSTypeReference') {
    const own = slice(node);
    const others = named.filter((type) => type !== own && /^[A-Z][\w.]*(<.*>)?$/.test(type));
    return [replacing(node, `${own}[]`, 0.35), ...others.map((type) => replacing(node, type, 0.45))];
  }
  if (node.type !== 'TSUnionType' || node.types.length < 2) return [];
  return node.types.map((left) => {
    const kept = node.types.filter((type) => type !== left);
    return replacing(node, kept.map(slice).join(' | '), 0.4);
  });
}

/** A constraint of a type parameter that has none: the types that the message names. */
function constraintEdits(node: Node, { named, slice }: Reading): RankedEdit[] {
  if (node.type !== 'TSTypeParameter' || node.constraint) return [];
  const own = slice(node).split(/[\s=]/, 1)[0]!;
  const at = startOf(node) + own.length;
  return named.filter((type) => type !== own).map((type) => insertion(at, ` extends ${type}`, 0.55));
}

function isCompound({ type }: Node): boolean {
  return /^TS(Function|Constructor|Conditional|Infer)Type$/.test(type);
}
