import type { Node } from '@babel/types';
import { inLoop, inStatementList, isFunction, nearest, type Site } from '../syntax/walk.ts';
import { insertAt, type Operator, type SourceView } from './operator.ts';
import { isRead } from './operator.ts';

const TEXT_LIMIT = 160;
const COPY_LIMIT = 12;

/** `if (options.strict) return null;` of a sibling function, where it stands there and is missing here. */
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
      if (count === COPY_LIMIT) return;
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
  /** Names that it reads and does not bind. */
  readonly names: readonly string[];
  readonly needsLoop: boolean;
  readonly isShort: boolean;
}

const byFile = new WeakMap<readonly Site[], readonly Branch[]>();

/** Short branches of the file that end in a jump, each text once. */
function branchesOf(source: SourceView): readonly Branch[] {
  const known = byFile.get(source.sites);
  if (known !== undefined) return known;
  const branches = new Map<string, Branch>();
  for (const { node } of source.sites) {
    if (node.type !== 'IfStatement' || node.alternate) continue;
    const text = source.textOf(node);
    const jump = lastJump(node.consequent);
    if (text.length > TEXT_LIMIT || jump === undefined || branches.has(text)) continue;
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

/** Names that a branch needs around it; undefined where it binds names of its own. */
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
