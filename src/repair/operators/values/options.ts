import type { Node } from '@babel/types';
import { isRead } from '../../syntax/reads.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceRange } from '../proposals.ts';

const MAX_PROPERTIES = 12;

/** `{ month: 1 }` → `{ month: 1, day: 1 }`, with a property of similar object literals in the file. */
export const extraProperty: Operator = {
  name: 'extra-property',
  prior: 0.25,
  *propose({ node }, source) {
    if (node.type !== 'ObjectExpression' || node.properties.length === 0 || node.properties.length > 12)
      return;
    const own = new Set(node.properties.map((property) => keyOf(property) ?? ''));
    const last = node.properties.at(-1)!;
    let count = 0;
    for (const { key, text } of propertiesBeside(own, source)) {
      if (count === MAX_PROPERTIES) return;
      count++;
      yield replaceRange(last.end!, last.end!, `, ${text}`, 1);
      const value = valueOf(last);
      if (value !== undefined && text !== `${key}: ${value}`)
        yield replaceRange(last.end!, last.end!, `, ${key}: ${value}`, 0.7);
    }
  },
};

/** `f(x, options)` → `f(x, { ...options, strict: false })`: sets an option for one call. */
export const setOption: Operator = {
  name: 'set-option',
  prior: 0.2,
  *propose(site, source) {
    const { node, key } = site;
    if (node.type !== 'Identifier' || key !== 'arguments' || !isRead(site)) return;
    if (!/^_?(opt|options?|opts|config|settings|params|props|ctx|context)$/i.test(node.name)) return;
    const names = optionNames(node.name, source);
    for (const name of names.slice(0, MAX_PROPERTIES)) {
      for (const value of ['false', 'true', 'undefined'])
        yield replaceNode(node, `{ ...${node.name}, ${name}: ${value} }`, value === 'undefined' ? 0.6 : 1);
    }
  },
};

function optionNames(name: string, source: SourceView): readonly string[] {
  const own = source.propertiesOf(name);
  const others = ['options', 'opts', 'opt', 'config'].flatMap((other) => source.propertiesOf(other));
  return [...new Set([...own, ...others])];
}

/** Properties of other object literals that share a key with this one, without duplicates. */
function* propertiesBeside(
  own: ReadonlySet<string>,
  source: SourceView,
): Generator<{ key: string; text: string }> {
  const seen = new Set<string>();
  for (const { node } of source.sites) {
    if (node.type !== 'ObjectExpression') continue;
    const keys = node.properties.map(keyOf);
    if (!keys.some((key) => key !== undefined && own.has(key))) continue;
    for (const [index, property] of node.properties.entries()) {
      const key = keys[index];
      const text = source.textOf(property);
      if (key === undefined || own.has(key) || text.length > 40 || seen.has(text)) continue;
      seen.add(text);
      yield { key, text };
    }
  }
}

function keyOf(property: Node): string | undefined {
  if (property.type !== 'ObjectProperty' || property.computed) return undefined;
  return property.key.type === 'Identifier' ? property.key.name : undefined;
}

/** The property's value, if it is a number or boolean literal. */
function valueOf(property: Node): string | undefined {
  if (property.type !== 'ObjectProperty') return undefined;
  const { value } = property;
  return value.type === 'NumericLiteral' || value.type === 'BooleanLiteral' ? String(value.value) : undefined;
}
