import type { Node } from '@babel/types';

/** Values of a type, in the form in which `JSON.stringify` writes them; `undefined` stands for a missing one. */
export type Examples = readonly unknown[];

/** Types by their names, and how deep a name is inside of others. */
export interface KnownTypes {
  readonly byName: ReadonlyMap<string, Node>;
  readonly depth: number;
}

const MAX_DEPTH = 4;

/**
 * Plain values of a type: empty lists and such with one item, texts and numbers that are unlikely to be keys of anything.
 * Undefined for a type without plain values, such as a function, and for one that its text does not explain.
 */
export function examplesOf(type: Node, known: KnownTypes): Examples | undefined {
  if (known.depth > MAX_DEPTH) return undefined;
  const inner = { ...known, depth: known.depth + 1 };
  switch (type.type) {
    case 'TSStringKeyword':
      return ['other', ''];
    case 'TSNumberKeyword':
      return [7, 0];
    case 'TSBooleanKeyword':
      return [false, true];
    case 'TSParenthesizedType':
      return examplesOf(type.typeAnnotation, known);
    case 'TSTypeOperator':
      return type.operator === 'readonly' ? examplesOf(type.typeAnnotation, known) : undefined;
    case 'TSLiteralType':
      return 'value' in type.literal ? [type.literal.value] : undefined;
    case 'TSUnionType':
      return type.types.map((it) => examplesOf(it, inner)).find((it) => it !== undefined);
    case 'TSArrayType':
      return lists(examplesOf(type.elementType, inner));
    case 'TSTypeLiteral':
      return objects(type.members, inner);
    case 'TSInterfaceDeclaration':
      return (type.extends ?? []).length > 0 ? undefined : objects(type.body.body, inner);
    case 'TSTypeAliasDeclaration':
      return examplesOf(type.typeAnnotation, inner);
    case 'TSTypeReference':
      return ofReference(type, inner);
    default:
      return undefined;
  }
}

function lists(items: Examples | undefined): Examples {
  return items === undefined ? [[]] : [[], [items[0]]];
}

function ofReference(
  type: Extract<Node, { type: 'TSTypeReference' }>,
  known: KnownTypes,
): Examples | undefined {
  if (type.typeName.type !== 'Identifier') return undefined;
  const { name } = type.typeName;
  const [first] = type.typeParameters?.params ?? [];
  if (/^(Readonly)?Array$/.test(name)) return lists(first && examplesOf(first, known));
  if (name === 'Record' || name === 'Partial') return [{}];
  const declared = known.byName.get(name);
  return declared && examplesOf(declared, known);
}

/** An object with its required members. */
function objects(members: readonly Node[], known: KnownTypes): Examples | undefined {
  const made: Record<string, unknown> = {};
  for (const member of members) {
    if (member.type === 'TSIndexSignature') continue;
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return undefined;
    if (member.optional === true) continue;
    const type = member.typeAnnotation?.typeAnnotation;
    const examples = type && examplesOf(type as Node, known);
    if (examples === undefined) return undefined;
    made[member.key.name] = examples[0];
  }
  return [made];
}
