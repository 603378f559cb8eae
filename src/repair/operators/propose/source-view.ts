import type { Node } from '@babel/types';
import { bindingsOf, visibleAt } from '../../syntax/bindings.ts';
import { createKindGuesser } from '../../syntax/kinds.ts';
import { type Hints, literalPool } from '../../syntax/literals.ts';
import { endOf, type ParsedSource, startOf } from '../../syntax/parse.ts';
import { functionOf, type Site, sitesOf } from '../../syntax/walk.ts';
import type { SourceView } from '../operator.ts';

const MAX_SIBLINGS = 15;

/** Creates the view of a parsed file that operators read; costly lookups are computed once. */
export function createSourceView(
  parsed: ParsedSource,
  hints: Hints,
  typedMembers: ReadonlyMap<number, readonly string[]> = new Map(),
): SourceView {
  const sites = sitesOf(parsed.tree.program);
  const bindings = bindingsOf(sites);
  const members = membersOf(sites);
  const assigned = assignedNames(sites);
  const indexed = indexedNames(sites);
  const within = new Map<Node | undefined, readonly Site[]>();
  const visible = new WeakMap<Node, ReturnType<typeof visibleAt>>();
  return {
    text: parsed.text,
    sites,
    literals: literalPool(sites, hints),
    crashes: hints.crashes?.filter(({ file }) => file === parsed.file) ?? [],
    testedOptions: hints.options ?? [],
    textOf: (node) => parsed.text.slice(startOf(node), endOf(node)),
    kindOf: createKindGuesser(sites),
    isIndexed: (name) => indexed.has(name),
    typedMembersAt: (offset) => typedMembers.get(offset) ?? [],
    isAssigned: (name) => assigned.has(name),
    visibleAt(site) {
      const known = visible.get(site.node);
      if (known !== undefined) return known;
      const found = visibleAt(site, bindings);
      visible.set(site.node, found);
      return found;
    },
    siblingsOf: (property) => siblings(property, members),
    propertiesOf: (name) => [...(members.get(name) ?? [])],
    within: createWithin(sites),
    withinFunction(site) {
      const owner = outermost(site);
      const known = within.get(owner);
      if (known !== undefined) return known;
      const found = sites.filter((other) => outermost(other) === owner);
      within.set(owner, found);
      return found;
    },
  };
}

/** Looks up the sites of a node and its descendants. They are contiguous, because parents precede their children. */
function createWithin(sites: readonly Site[]): (node: Node) => readonly Site[] {
  const positions = new Map(sites.map(({ node }, index): [Node, number] => [node, index]));
  const sizes = sites.map(() => 1);
  for (let index = sites.length - 1; index > 0; index--) {
    const parent = positions.get(sites[index]!.parent!.node)!;
    sizes[parent] = sizes[parent]! + sizes[index]!;
  }
  return (node) => {
    const at = positions.get(node);
    return at === undefined ? [] : sites.slice(at, at + sizes[at]!);
  };
}

/** The outermost function around the site: a callback counts as part of the function that it is written in. */
function outermost(site: Site): Node | undefined {
  let owner: Node | undefined;
  for (let at = functionOf(site); at !== undefined; at = at.parent && functionOf(at.parent)) owner = at.node;
  return owner;
}

/** Property names by their object: a name, `.property` or, for an object literal, its offset. */
function membersOf(sites: readonly Site[]): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  const add = (object: string, name: string): void => {
    const names = members.get(object);
    if (names === undefined) members.set(object, new Set([name]));
    else names.add(name);
  };
  for (const { node } of sites) {
    if ((node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') && !node.computed) {
      if (node.property.type === 'Identifier') add(objectName(node.object), node.property.name);
    }
    if (node.type === 'ObjectExpression' || node.type === 'ObjectPattern') {
      for (const property of node.properties) {
        if (property.type === 'ObjectProperty' && property.key.type === 'Identifier') {
          add(`{${startOf(node)}}`, property.key.name);
        }
      }
    }
  }
  return members;
}

function objectName(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && node.property.type === 'Identifier'
    ? `.${node.property.name}`
    : node.type;
}

function siblings(property: string, members: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const groups = [...members.values()].filter((names) => names.has(property));
  const names = new Set(groups.flatMap((group) => [...group]));
  names.delete(property);
  return [...names].slice(0, MAX_SIBLINGS);
}

function assignedNames(sites: readonly Site[]): Set<string> {
  const names = new Set<string>();
  for (const { node } of sites) {
    const target =
      node.type === 'AssignmentExpression'
        ? node.left
        : node.type === 'UpdateExpression'
          ? node.argument
          : undefined;
    if (target?.type === 'Identifier') names.add(target.name);
  }
  return names;
}

function indexedNames(sites: readonly Site[]): Set<string> {
  const names = new Set<string>();
  for (const { node } of sites) {
    if (node.type === 'MemberExpression' && node.computed && node.object.type === 'Identifier') {
      names.add(node.object.name);
    }
  }
  return names;
}
