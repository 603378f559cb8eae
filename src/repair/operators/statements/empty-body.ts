import type { Node } from '@babel/types';
import { boundNames } from '../../syntax/functions.ts';
import type { Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode } from '../proposals.ts';

const MAX_COPIES = 6;
const MAX_CHARS = 200;

/** Fills an empty method with the body of a nearby one, whose name and parameters are replaced by its own. */
export const emptyBody: Operator = {
  name: 'empty-body',
  prior: 0.5,
  *propose(site, source) {
    const { node, parent } = site;
    const body = bodyOf(node);
    if (body?.type !== 'BlockStatement' || body.body.length > 0 || parent === undefined) return;
    const siblings = source
      .within(parent.node)
      .filter((other) => other.parent?.node === parent.node && other.node !== node);
    let count = 0;
    for (const { node: sibling } of siblings.sort((a, b) => distance(a, site) - distance(b, site))) {
      const text = bodyText(sibling, source);
      if (text === undefined || count === MAX_COPIES) continue;
      count++;
      yield replaceNode(body, renamed(text, sibling, node));
    }
  },
};

function distance(a: Site, b: Site): number {
  return Math.abs(a.index - b.index);
}

function bodyText(node: Node, { textOf }: SourceView): string | undefined {
  const body = bodyOf(node);
  if (body?.type !== 'BlockStatement' || body.body.length === 0 || body.body.length > 2) return undefined;
  const text = textOf(body);
  return text.length <= MAX_CHARS ? text : undefined;
}

function bodyOf(node: Node): Node | undefined {
  const holder = node.type === 'ObjectProperty' ? node.value : node;
  return /Function|Method/.test(holder.type) ? (holder as { body?: Node }).body : undefined;
}

/** The text with the name and parameters of `from` replaced by those of `to`, also inside strings. */
function renamed(text: string, from: Node, to: Node): string {
  const pairs = namesOf(from).map((name, index) => [name, namesOf(to)[index]] as const);
  return pairs.reduce(
    (result, [name, other]) =>
      name === '' || other === undefined ? result : result.replace(wordOf(name), other),
    text,
  );
}

/** The method's name without leading `_` or `$`, then its parameters. */
function namesOf(node: Node): string[] {
  const { key } = node as { key?: Node };
  const holder = node.type === 'ObjectProperty' ? node.value : node;
  const params = (holder as { params?: Node[] }).params ?? [];
  const name = key?.type === 'Identifier' ? key.name.replace(/^[_$]+/, '') : '';
  return [name, ...params.flatMap(boundNames)];
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replace(/[$]/g, '\\$&')}(?![\\w$])`, 'g');
}
