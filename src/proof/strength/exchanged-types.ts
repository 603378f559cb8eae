import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { walk } from '../acceptance/syntax.ts';
import { partOf } from './added-parts.ts';
import { baseOf, type ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Most types of a change that are put back. */
const MAX_TYPES = 6;
const SIGNATURE = /^(?:FunctionDeclaration|ClassMethod|TSDeclareFunction|TSMethodSignature)$/;

/**
 * Declared types that a change puts in the place of others, each with the edit that puts the old one back: of a parameter, a result,
 * a property, a name for a type; and an index signature that is new. A type that only takes further members (`string | null`) is none.
 */
export function exchangedTypes(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap(exchangedIn).slice(0, MAX_TYPES);
}

function exchangedIn(source: ChangedSource): RevertedBlock[] {
  const { file, parsed } = source;
  if (!/\.[cm]?tsx?$/.test(file)) return [];
  const base = parseSource(file, baseOf(source));
  if ('problem' in base) return [];
  const was = typesIn(base);
  return [...typesIn(parsed)].flatMap(([place, type]) => {
    const old = was.get(place);
    const isIndex = type?.type === 'TSIndexSignature';
    if (type === undefined || (old === undefined ? !isIndex || was.has(place) : isIndex)) return [];
    if (old === undefined && !was.has(ownerOf(place))) return [];
    const [then, now] = [old === undefined ? '' : textOf(base, old), textOf(parsed, type)];
    if (spaceless(then) === spaceless(now) || (old !== undefined && takesAll(base, old, parsed, type)))
      return [];
    if (old !== undefined && spaceless(then) === spaceless(aliased(base, parsed, type) ?? '')) return [];
    const edit: TextEdit = { start: startOf(type), end: endOf(type), replacement: then };
    const part = partOf(source, edit);
    if (part === undefined) return [];
    const { added: _, ...rest } = part;
    return [{ ...rest, isType: true, ...(then === '' ? { added: now } : { removed: then }) }];
  });
}

/** Types by the place that they are declared for, such as `Options.name`; undefined for two of one place. */
function typesIn(parsed: ParsedSource): Map<string, Node | undefined> {
  const found = new Map<string, Node | undefined>();
  const add = (place: string, node: Node | undefined): void => {
    found.set(place, found.has(place) ? undefined : node);
  };
  walk(parsed.tree.program, (node, parents) => {
    const owner = [...parents, node].map(nameOf).filter(Boolean).join('.');
    if (node.type === 'TSInterfaceDeclaration') add(owner, undefined);
    if (node.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type !== 'TSTypeLiteral')
      add(owner, node.typeAnnotation);
    if (node.type === 'TSPropertySignature' && node.typeAnnotation)
      add(owner, node.typeAnnotation.typeAnnotation);
    if (node.type === 'TSIndexSignature') add(`${owner}.[index]`, node);
    if (!SIGNATURE.test(node.type)) return;
    const { returnType, params = [] } = node as { returnType?: Node | null; params?: readonly Node[] };
    if (returnType?.type === 'TSTypeAnnotation') add(`${owner}()`, returnType.typeAnnotation);
    params.forEach((param, at) => {
      const own = param.type === 'AssignmentPattern' ? param.left : param;
      const type = (own as { typeAnnotation?: Node | null }).typeAnnotation;
      if (type?.type === 'TSTypeAnnotation') add(`${owner}(${at})`, type.typeAnnotation);
    });
  });
  return found;
}

function ownerOf(place: string): string {
  return place.replace(/\.\[index\]$/, '');
}

/** The name by which a declaration or a member is known. */
function nameOf(node: Node): string | undefined {
  const { id, key } = node as { id?: Node | null; key?: Node };
  const name = id ?? key;
  if (name === undefined || name === null || /^(?:ObjectProperty|VariableDeclarator)$/.test(node.type))
    return undefined;
  return name.type === 'Identifier' ? name.name : name.type === 'StringLiteral' ? name.value : undefined;
}

/** Whether a type takes all that another one takes, as a union with more members. */
function takesAll(base: ParsedSource, old: Node, parsed: ParsedSource, type: Node): boolean {
  const now = new Set(membersOf(parsed, type));
  return membersOf(base, old).every((member) => now.has(member));
}

/** Versions of the parser name them differently. */
type Arguments = Partial<
  Record<'typeArguments' | 'typeParameters', { readonly params: readonly Node[] } | null>
>;

/** What a type stands for that has a new name. */
function aliased(base: ParsedSource, parsed: ParsedSource, type: Node): string | undefined {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  const { name } = type.typeName;
  if (new RegExp(`\\btype\\s+${escapeRegExp(name)}\\b`).test(base.text)) return undefined;
  const { typeArguments, typeParameters } = type as Arguments;
  const given = ((typeArguments ?? typeParameters)?.params ?? []).map((it) => textOf(parsed, it));
  let text: string | undefined;
  walk(parsed.tree.program, (node) => {
    if (node.type !== 'TSTypeAliasDeclaration' || node.id.name !== name) return;
    const names = (node.typeParameters?.params ?? []).map((it) => nameOfParameter(it));
    text = textOf(parsed, node.typeAnnotation).replaceAll(/[\w$]+/g, (word) => {
      const at = names.indexOf(word);
      return at === -1 ? word : (given[at] ?? word);
    });
  });
  return text;
}

function nameOfParameter({ name }: { readonly name: unknown }): string {
  return typeof name === 'string' ? name : ((name as { readonly name?: string }).name ?? '');
}

function membersOf(parsed: ParsedSource, type: Node): string[] {
  if (type.type === 'TSParenthesizedType') return membersOf(parsed, type.typeAnnotation);
  return type.type === 'TSUnionType'
    ? type.types.flatMap((it) => membersOf(parsed, it))
    : [spaceless(textOf(parsed, type))];
}

function textOf(parsed: ParsedSource, node: Node): string {
  return parsed.text.slice(startOf(node), endOf(node));
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
