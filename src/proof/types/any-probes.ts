import type { Node } from '@babel/types';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';

/** Most types that are asked for in one source. */
const MAX_TYPES = 40;

/** The texts of types that a source names and its base does not, and that may be another name of `any`. */
export function addedTypes(now: ParsedSource, then: ParsedSource): string[] {
  const known = new Set(typesIn(then));
  return [...new Set(typesIn(now))].filter((type) => !known.has(type)).slice(0, MAX_TYPES);
}

/**
 * A line in which the type checker reports that `"any"` is no number if the type is `any`. Errors of other kinds, such as a
 * type parameter that is not known outside of its function, say nothing.
 */
export function probeOf(type: string, at: number): string {
  return `const ralphProbe${at}: 0 = null! as (0 extends 1 & (${type}) ? "any" : 0);\n`;
}

const BRANCHING =
  /^TS(TypeReference|IndexedAccessType|ConditionalType|TypeQuery|ImportType|TypeOperator|MappedType)$/;

function typesIn({ tree, text }: ParsedSource): string[] {
  const types: string[] = [];
  walk(tree.program, (node, parents) => {
    if (!BRANCHING.test(node.type) || BRANCHING.test(parents.at(-1)?.type ?? '')) return;
    if (namesItself(node)) types.push(text.slice(startOf(node), endOf(node)).replaceAll(/\s+/g, ' '));
  });
  return types;
}

/** Types that say `any` are found by that word; `const` is no type. */
function namesItself(type: Node): boolean {
  let isPlain = true;
  walk(type, (inner) => {
    if (inner.type === 'TSAnyKeyword' || inner.type === 'TSInferType') isPlain = false;
  });
  const isConst =
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
  return isPlain && !isConst;
}
