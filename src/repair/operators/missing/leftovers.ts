import type { Node } from '@babel/types';
import { bindingsOf, type Binding } from '../../syntax/bindings.ts';
import { isRead } from '../../syntax/reads.ts';
import { endOf, startOf } from '../../syntax/parse.ts';
import type { Site } from '../../syntax/walk.ts';
import type { SourceView } from '../operator.ts';

/** Names that a file declares and no code reads: what a missing statement often leaves behind. */
export interface Leftovers {
  /** Variables, parameters, imports and functions that are not exported. */
  readonly bindings: readonly Binding[];
  /** Private methods, such as `#reset` and `_reset`. */
  readonly methods: readonly { readonly name: string; readonly params: number }[];
}

const byFile = new WeakMap<readonly Site[], Leftovers>();

/** The leftovers of the file; computed once. */
export function leftoversOf({ sites }: SourceView): Leftovers {
  const known = byFile.get(sites);
  if (known !== undefined) return known;
  const found = { bindings: unreadBindings(sites), methods: uncalledMethods(sites) };
  byFile.set(sites, found);
  return found;
}

function unreadBindings(sites: readonly Site[]): Binding[] {
  const reads = new Map<string, number[]>();
  for (const site of sites) {
    if (site.node.type !== 'Identifier' || !isUse(site)) continue;
    const at = reads.get(site.node.name);
    if (at === undefined) reads.set(site.node.name, [startOf(site.node)]);
    else at.push(startOf(site.node));
  }
  const exports = sites.map(({ node }) => node).filter(({ type }) => /^Export(Named|Default)/.test(type));
  return bindingsOf(sites).filter((binding) => {
    const { name, start, end } = binding;
    const isNamed = (reads.get(name) ?? []).some((at) => start <= at && at < end);
    const isExported = binding.owner === -1 && exports.some((node) => isIn(binding, node));
    return !isNamed && !isExported && !isExpressionName(binding) && !IGNORED.test(name);
  });
}

/** The name of a function expression is visible only inside of it. */
function isExpressionName({ init, start }: Binding): boolean {
  return init !== undefined && init.type === 'FunctionExpression' && init.start === start;
}

function isUse(site: Site): boolean {
  if (isRead(site)) return true;
  const { key, parent } = site;
  // `typeof x`, `{ x }`, `export { x }` and `x++` in an expression read the name as well.
  const holder = parent?.node.type;
  return (
    key === 'callee' ||
    holder === 'UnaryExpression' ||
    holder === 'ExportSpecifier' ||
    (holder === 'UpdateExpression' && parent?.parent?.node.type !== 'ExpressionStatement') ||
    (holder === 'ObjectProperty' && parent?.parent?.node.type === 'ObjectExpression') ||
    /^JSX/.test(holder ?? '')
  );
}

function isIn({ from, init }: Binding, node: Node): boolean {
  const at = init?.start ?? from;
  return startOf(node) <= at && at <= endOf(node);
}

const IGNORED = /^_|^(React|exports|module|require|arguments)$/;

function uncalledMethods(sites: readonly Site[]): { name: string; params: number }[] {
  const mentioned = new Map<string, number>();
  const count = (name: string): void => void mentioned.set(name, (mentioned.get(name) ?? 0) + 1);
  for (const { node } of sites) {
    if (node.type === 'PrivateName') count(`#${node.id.name}`);
    else if (node.type === 'Identifier') count(node.name);
    else if (node.type === 'StringLiteral') count(node.value);
  }
  return sites.flatMap(({ node }) => {
    if (node.type !== 'ClassMethod' && node.type !== 'ClassPrivateMethod') return [];
    if (node.kind !== 'method' || node.static) return [];
    const name =
      node.key.type === 'PrivateName'
        ? `#${node.key.id.name}`
        : node.key.type === 'Identifier'
          ? node.key.name
          : '';
    return /^[#_]/.test(name) && mentioned.get(name) === 1 ? [{ name, params: node.params.length }] : [];
  });
}
