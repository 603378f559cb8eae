import type { Node } from '@babel/types';
import type { Coded } from '../tested-inputs/neighbours.ts';
import { kindOf, type Parts } from '../replay/coded-kinds.ts';
import type { KnownTypes } from './example-values.ts';

const PRIMITIVES: Readonly<Record<string, RegExp>> = {
  TSStringKeyword: /^string$/,
  TSNumberKeyword: /^number$/,
  TSBooleanKeyword: /^boolean$/,
  TSBigIntKeyword: /^bigint$/,
};
const NAMED: Readonly<Record<string, RegExp>> = {
  Date: /^date$/,
  Array: /^list$/,
  ReadonlyArray: /^list$/,
  Map: /^map$/,
  Set: /^set$/,
};

/**
 * The part of a result (a text of `encodeValue`) that its type excludes, such as a text where the type says `Date`; undefined
 * if there is none, or the type does not say it plainly.
 */
export function unfitPart(type: Node, result: string, known: KnownTypes): string | undefined {
  const value = JSON.parse(result) as Coded;
  return unfit(type, value, { ...known, depth: 0 });
}

function unfit(type: Node, value: Coded, known: KnownTypes): string | undefined {
  if (known.depth > 5) return undefined;
  const inner = { ...known, depth: known.depth + 1 };
  const kind = kindOf(value);
  const unless = (wanted: RegExp): string | undefined => (wanted.test(kind) ? undefined : kind);
  const primitive = PRIMITIVES[type.type];
  if (primitive !== undefined) return unless(primitive);
  switch (type.type) {
    case 'TSParenthesizedType':
    case 'TSTypeAliasDeclaration':
      return unfit(type.typeAnnotation, value, inner);
    case 'TSUnionType': {
      const found = type.types.map((it) => unfit(it, value, inner));
      return found.every((it) => it !== undefined) ? found[0] : undefined;
    }
    case 'TSArrayType':
      return unless(/^list$/) ?? firstUnfit(partsOf(value).a ?? [], type.elementType, inner);
    case 'TSTypeLiteral':
      return unfitMember(type.members, value, inner);
    case 'TSInterfaceDeclaration':
      return (type.extends ?? []).length > 0 ? undefined : unfitMember(type.body.body, value, inner);
    case 'TSTypeReference':
      return ofReference(type, value, inner);
    default:
      return undefined;
  }
}

function firstUnfit(values: readonly Coded[], type: Node, known: KnownTypes): string | undefined {
  for (const value of values) {
    const found = unfit(type, value, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofReference(
  type: Extract<Node, { type: 'TSTypeReference' }>,
  value: Coded,
  known: KnownTypes,
): string | undefined {
  if (type.typeName.type !== 'Identifier') return undefined;
  const { name } = type.typeName;
  const declared = known.byName.get(name);
  if (declared !== undefined)
    return 'typeParameters' in declared && declared.typeParameters
      ? undefined
      : unfit(declared, value, known);
  const wanted = NAMED[name];
  if (wanted === undefined) return undefined;
  const kind = kindOf(value);
  if (!wanted.test(kind)) return kind;
  const [item] = type.typeParameters?.params ?? [];
  return kind === 'list' && item ? firstUnfit(partsOf(value).a ?? [], item, known) : undefined;
}

function unfitMember(members: readonly Node[], value: Coded, known: KnownTypes): string | undefined {
  const { o } = partsOf(value);
  if (o === undefined)
    return /^(string|number|boolean|list|date)$/.test(kindOf(value)) ? kindOf(value) : undefined;
  const own = new Map(o);
  for (const member of members) {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') continue;
    const type = member.typeAnnotation?.typeAnnotation;
    const { name } = member.key;
    if (type === undefined || !own.has(name)) continue;
    if (member.optional === true && kindOf(own.get(name)!) === 'undefined') continue;
    const found = unfit(type, own.get(name)!, known);
    if (found !== undefined) return `${found} as ${name}`;
  }
  return undefined;
}

function partsOf(value: Coded): Parts {
  return typeof value === 'object' && value !== null ? (value as Parts) : {};
}

/**
 * Whether a result shows that a value was missing or of another type on the way: `Hello undefined`, `[object Promise]`, and
 * `NaN` where no text was given that could be no number. `args` are the arguments, as a text of `encodeValue`.
 */
export function isSpoilt(result: string, args: string): boolean {
  if (args.includes('{"u":1}')) return false;
  const value = JSON.parse(result) as Coded;
  const hasTexts = /"(other|)"/.test(args);
  if (kindOf(value) === 'number') return (value as Parts).n === 'NaN' && !hasTexts;
  if (typeof value !== 'string') return false;
  return /\bundefined\b|\[object (Object|Promise)\]/.test(value) || (/NaN/.test(value) && !hasTexts);
}
