import type { Node } from '@babel/types';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, calledName, functionOf, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Methods that take an item out of a list, and the read that leaves it there. */
const TAKES: Readonly<Record<string, string>> = { pop: 'at(-1)', shift: 'at(0)' };

/**
 * Where a change takes items out of a list that it has made with all of them, and that outlives the call (`turns.pop()` of `const
 * turns = [1, 1, 1]`), each with the edit that leaves them there: where no check misses that the list comes to an end, the change
 * may be right for the first calls alone.
 */
export function usedUpStores(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const { text, tree } = source.parsed;
    const isAdded = addedIn(source);
    const sites = sitesOf(tree.program);
    const stores = new Map(sites.filter(({ node }) => isAdded(node)).flatMap(storeAt));
    if (stores.size === 0) return [];
    return sites.flatMap((site): RevertedBlock[] => {
      const { node } = site;
      if (node.type !== 'CallExpression' || node.arguments.length > 0 || !isAdded(node)) return [];
      const read = TAKES[calledName(node.callee) ?? ''];
      if (read === undefined || !/^(?:Optional)?MemberExpression$/.test(node.callee.type)) return [];
      const { object } = node.callee as { readonly object: Node };
      const store = stores.get(nameOf(object) ?? '');
      if (store === undefined || !outlives(store, site)) return [];
      const replacement = `${text.slice(startOf(object), endOf(object))}.${read}`;
      const part = partOf(source, { start: startOf(node), end: endOf(node), replacement });
      return part === undefined ? [] : [{ ...part, ignoresTypes: true }];
    });
  });
}

/** The name of a list that is made where a site stands, with all its items. */
function storeAt(site: Site): [string, Site][] {
  const { node } = site;
  if (node.type === 'VariableDeclarator')
    return node.id.type === 'Identifier' && node.init && isFilled(node.init) ? [[node.id.name, site]] : [];
  if (node.type === 'ClassProperty' || node.type === 'ClassPrivateProperty') {
    const name = node.key.type === 'PrivateName' ? `#${node.key.id.name}` : calledName(node.key);
    return name !== undefined && node.value && isFilled(node.value) ? [[`this.${name}`, site]] : [];
  }
  if (node.type !== 'AssignmentExpression' || node.operator !== '=' || !isFilled(node.right)) return [];
  const name = nameOf(node.left);
  return name?.startsWith('this.') === true ? [[name, site]] : [];
}

/** `[1, 1, 1]`, `Array(8)`, `Array.from({ length: 8 })`, or what a method makes of one of them. */
function isFilled(given: Node): boolean {
  const node = bare(given);
  if (node.type === 'ArrayExpression') return node.elements.length > 0;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name === 'Array' && node.arguments.length > 0;
  if (callee.type !== 'MemberExpression') return false;
  const isOfArray = callee.object.type === 'Identifier' && callee.object.name === 'Array';
  return isOfArray ? node.arguments.length > 0 : isFilled(callee.object);
}

/** `list`, or `this.list` and `this.#list`. */
function nameOf(given: Node): string | undefined {
  const node = bare(given);
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.object.type !== 'ThisExpression' || node.computed)
    return undefined;
  if (node.property.type === 'PrivateName') return `this.#${node.property.id.name}`;
  return node.property.type === 'Identifier' ? `this.${node.property.name}` : undefined;
}

function outlives(store: Site, call: Site): boolean {
  return store.node.type !== 'VariableDeclarator' || functionOf(store) !== functionOf(call);
}
