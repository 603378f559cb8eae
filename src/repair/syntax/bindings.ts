import type { Node } from '@babel/types';
import { boundNames } from './functions.ts';
import { endOf, startOf } from './parse.ts';
import { functionOf, isFunction, nearest, type Site } from './walk.ts';

/** A name that the file binds to a value, and its scope. */
export interface Binding {
  readonly name: string;
  readonly kind: 'param' | 'let' | 'const' | 'var' | 'function' | 'class';
  /** First offset of the scope. */
  readonly start: number;
  /** End of the scope, exclusive. */
  readonly end: number;
  /** Offset from which code of the owning function can use it. */
  readonly from: number;
  /** The initial value, or the declaration of a function or class; undefined for patterns, parameters and imports. */
  readonly init: Node | undefined;
  /** Offset of the function that it is local to; -1 at the top of the file. */
  readonly owner: number;
  /** Occurrences of the name in its scope, without the declaration. */
  readonly uses: number;
}

/** Bindings of a file in source order, imports last. */
export function bindingsOf(sites: readonly Site[]): Binding[] {
  const mentions = mentionsOf(sites);
  const mentioned = ({ name, start, end }: Declared): number =>
    (mentions.get(name) ?? []).filter((at) => start <= at && at < end).length;
  return [
    ...sites
      .flatMap((site) => declarationsAt(site))
      .map((binding): Binding => ({ ...binding, uses: mentioned(binding) - 1 })),
    // Import statements are not among the sites, so their own name is not counted.
    ...imported(sites[0]).map((binding): Binding => ({ ...binding, uses: mentioned(binding) })),
  ];
}

/** Bindings that code at the site can use, innermost scope first, each name once. */
export function visibleAt(site: Site, bindings: readonly Binding[]): Binding[] {
  const offset = startOf(site.node);
  const owner = ownerOf(site);
  const known = bindings
    .filter(({ start, end }) => start <= offset && offset < end)
    .filter((binding) => binding.owner !== owner || binding.from <= offset)
    .sort((a, b) => b.start - a.start);
  return [
    ...new Map(known.map((binding): [string, Binding] => [binding.name, binding]).reverse()).values(),
  ].reverse();
}

type Declared = Omit<Binding, 'uses'>;

function declarationsAt(site: Site): Declared[] {
  const { node } = site;
  if (node.type === 'VariableDeclarator') return variables(site);
  if (isFunction(node)) return [...ownName(site, 'function'), ...params(site)];
  if (node.type === 'ClassDeclaration') return ownName(site, 'class');
  return [];
}

/** Names that the file imports as values. */
function imported(root: Site | undefined): Declared[] {
  if (root?.node.type !== 'Program') return [];
  return root.node.body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') return [];
    return statement.specifiers.flatMap((specifier): Declared[] => {
      if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') return [];
      const { name } = specifier.local;
      return [{ name, kind: 'const', ...rangeOf(root.node), from: 0, init: undefined, owner: -1 }];
    });
  });
}

function variables(site: Site): Declared[] {
  const { node } = site;
  const declaration = site.parent?.node;
  if (node.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration') return [];
  const kind = declaration.kind === 'let' || declaration.kind === 'var' ? declaration.kind : 'const';
  const scope = kind === 'var' ? (functionOf(site)?.node ?? rootOf(site)) : blockOf(site);
  const plain = node.id.type === 'Identifier';
  return boundNames(node.id).map((name) => ({
    name,
    kind,
    ...rangeOf(scope),
    from: endOf(node),
    init: plain ? (node.init ?? undefined) : undefined,
    owner: ownerOf(site),
  }));
}

function ownName(site: Site, kind: 'function' | 'class'): Declared[] {
  const { node } = site;
  if (!('id' in node) || node.id?.type !== 'Identifier' || site.parent === undefined) return [];
  const scope = node.type === 'FunctionExpression' ? node : blockOf(site.parent);
  return [{ name: node.id.name, kind, ...rangeOf(scope), from: 0, init: node, owner: ownerOf(site.parent) }];
}

function params(site: Site): Declared[] {
  const { node } = site;
  return (node as { params: Node[] }).params.flatMap(boundNames).map((name) => ({
    name,
    kind: 'param' as const,
    ...rangeOf(node),
    from: startOf(node),
    init: undefined,
    owner: startOf(node),
  }));
}

function mentionsOf(sites: readonly Site[]): Map<string, number[]> {
  const mentions = new Map<string, number[]>();
  for (const { node, key, parent } of sites) {
    if (node.type !== 'Identifier' || (key === 'property' && !isComputed(parent))) continue;
    const at = mentions.get(node.name);
    if (at === undefined) mentions.set(node.name, [startOf(node)]);
    else at.push(startOf(node));
  }
  return mentions;
}

function isComputed(parent: Site | undefined): boolean {
  return (parent?.node as { computed?: boolean } | undefined)?.computed === true;
}

function blockOf(site: Site): Node {
  const block = nearest(site, ({ type }) => /^(BlockStatement|Program|SwitchStatement|For.*)$/.test(type));
  const parent = block?.parent?.node;
  return parent !== undefined && isFunction(parent) ? parent : (block?.node ?? rootOf(site));
}

function rootOf(site: Site): Node {
  return site.parent === undefined ? site.node : rootOf(site.parent);
}

function ownerOf(site: Site): number {
  const owner = functionOf(site);
  return owner === undefined ? -1 : startOf(owner.node);
}

function rangeOf(node: Node): { start: number; end: number } {
  return { start: startOf(node), end: endOf(node) };
}
