import type { Node } from '@babel/types';
import { isRead } from '../../syntax/reads.ts';
import { inLoop, inStatementList, isFunction, nearest, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { insertAt } from '../proposals.ts';

const MAX_CHARS = 160;
const MAX_COPIES = 12;

/** Copies a short branch with a jump, such as `if (options.strict) return null;`, from another function. */
export const copyBranch: Operator = {
  name: 'copy-branch',
  prior: 0.25,
  *propose(site, source) {
    if (!inStatementList(site) || site.parent?.node.type !== 'BlockStatement') return;
    const owner = nearest(site.parent, isFunction);
    if (owner === undefined) return;
    const ownText = source.textOf(owner.node);
    const visible = new Set(source.visibleAt(site).map(({ name }) => name));
    let count = 0;
    for (const branch of branchesOf(source)) {
      if (count === MAX_COPIES) return;
      const isPossible =
        !ownText.includes(branch.text) &&
        branch.names.every((name) => visible.has(name)) &&
        (!branch.needsLoop || inLoop(site)) &&
        branch.names.length > 0;
      if (!isPossible) continue;
      count++;
      yield insertAt(site.node.start!, `${branch.text}\n`, branch.isShort ? 1 : 0.7);
    }
  },
};

interface Branch {
  readonly text: string;
  /** Names that it uses. */
  readonly names: readonly string[];
  /** Whether its jump is a `break` or `continue`. */
  readonly needsLoop: boolean;
  readonly isShort: boolean;
}

const byFile = new WeakMap<readonly Site[], readonly Branch[]>();

/** Short branches of the file that end in a jump, without duplicates. */
function branchesOf(source: SourceView): readonly Branch[] {
  const known = byFile.get(source.sites);
  if (known !== undefined) return known;
  const branches = new Map<string, Branch>();
  for (const { node } of source.sites) {
    if (node.type !== 'IfStatement' || node.alternate) continue;
    const text = source.textOf(node);
    const jump = lastJump(node.consequent);
    if (text.length > MAX_CHARS || jump === undefined || branches.has(text)) continue;
    const names = namesIn(node, source);
    if (names === undefined) continue;
    branches.set(text, {
      text,
      names,
      needsLoop: jump !== 'ReturnStatement' && jump !== 'ThrowStatement',
      isShort: text.length <= 60,
    });
  }
  const found = [...branches.values()];
  byFile.set(source.sites, found);
  return found;
}

function lastJump(node: Node): string | undefined {
  const last = node.type === 'BlockStatement' ? node.body.at(-1) : node;
  return last !== undefined && /^(Return|Break|Continue|Throw)Statement$/.test(last.type)
    ? last.type
    : undefined;
}

/** Names that must be visible where the branch is copied to; undefined if it declares names of its own. */
function namesIn(node: Node, source: SourceView): readonly string[] | undefined {
  const names = new Set<string>();
  for (const inner of source.within(node)) {
    if (isFunction(inner.node) || inner.node.type === 'VariableDeclaration') return undefined;
    if (inner.node.type !== 'Identifier' || BUILT_IN.has(inner.node.name)) continue;
    const isTarget = inner.key === 'left' || inner.parent?.node.type === 'UpdateExpression';
    const isTyped = inner.parent?.node.type === 'UnaryExpression';
    if (isRead(inner) || isTarget || isTyped || inner.key === 'callee') names.add(inner.node.name);
  }
  return [...names];
}

const BUILT_IN = new Set(
  'undefined NaN Infinity Math Number String Boolean Array Object JSON Set Map Date RegExp Error TypeError RangeError Symbol Promise parseInt parseFloat isNaN'.split(
    ' ',
  ),
);
