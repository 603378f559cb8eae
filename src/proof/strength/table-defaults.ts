import type { Node, Program } from '@babel/types';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, calledName, sitesOf } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Values that are as good as none. */
const EMPTY = /^(?:''|""|``|\[\]|\{\}|\(\{\}\)|0|null|undefined|false)$/;

/**
 * What a change adds for the keys that a table of its own does not have (`{ visits: by }[key] ?? 1`), each with the edit that
 * takes it out: where no check needs it, the table may hold what the tests ask for alone. Empty values need no test.
 */
export function tableDefaults(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const { text, tree } = source.parsed;
    const isAdded = addedIn(source);
    return sitesOf(tree.program).flatMap(({ node }): RevertedBlock[] => {
      if (node.type !== 'LogicalExpression' || node.operator === '&&' || !isAdded(node)) return [];
      const table = tableOf(bare(node.left), tree.program);
      const given = text.slice(startOf(node.right), endOf(node.right)).replaceAll(/\s+/g, '');
      if (table === undefined || !isAdded(table) || EMPTY.test(given)) return [];
      const edit = { start: endOf(node.left), end: endOf(node), replacement: '' };
      const part = partOf(source, edit);
      return part === undefined ? [] : [{ ...part, ignoresTypes: true }];
    });
  });
}

/** The literal table in which an expression looks something up by a key that is computed. */
function tableOf(node: Node, program: Program): Node | undefined {
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') {
    const isLookup = node.computed && !/Literal$/.test(node.property.type);
    return isLookup ? literalOf(bare(node.object), program) : undefined;
  }
  if (node.type !== 'CallExpression' || calledName(node.callee) !== 'get') return undefined;
  const { callee } = node;
  return callee.type === 'MemberExpression' ? literalOf(bare(callee.object), program) : undefined;
}

/** A table that stands where it is used, or that a constant of the file holds. */
function literalOf(node: Node, program: Program): Node | undefined {
  if (isTable(node)) return node;
  if (node.type !== 'Identifier') return undefined;
  for (const { node: own } of sitesOf(program)) {
    if (own.type !== 'VariableDeclarator' || own.id.type !== 'Identifier' || own.id.name !== node.name)
      continue;
    const value = own.init ? bare(own.init) : undefined;
    return value !== undefined && isTable(value) ? own : undefined;
  }
  return undefined;
}

function isTable(node: Node): boolean {
  if (node.type === 'ObjectExpression') return node.properties.length > 0;
  if (node.type === 'ArrayExpression') return node.elements.length > 0;
  if (node.type !== 'NewExpression' || calledName(node.callee) !== 'Map') return false;
  const [entries] = node.arguments;
  return entries !== undefined && isTable(bare(entries));
}
