import type { Node, Program } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, calledName, sitesOf } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

/** Values that are as good as none. */
const EMPTY = /^(?:''|""|``|\[\]|\{\}|\(\{\}\)|0|null|undefined|false)$/;

/**
 * What a change adds for the keys that a table of its own does not have (`{ visits: by }[key] ?? 1`), each with the edit that
 * takes it out: where no check needs it, the table may hold what the tests ask for alone. Empty values need no test. So it is with
 * the key of a table in which all values are the same (`{ 'a.example': '/' }[host]`): it only asks whether the table has it.
 */
export function tableDefaults(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const { text, tree } = source.parsed;
    const isAdded = addedIn(source);
    const edits = sitesOf(tree.program).flatMap(({ node }): TextEdit[] => {
      if (!isAdded(node)) return [];
      const fixed = fixedKey(node, source, isAdded);
      if (fixed !== undefined) return [fixed];
      if (node.type !== 'LogicalExpression' || node.operator === '&&') return [];
      const table = tableOf(bare(node.left), tree.program);
      const given = text.slice(startOf(node.right), endOf(node.right)).replaceAll(/\s+/g, '');
      if (table === undefined || !isAdded(table) || EMPTY.test(given)) return [];
      return [{ start: endOf(node.left), end: endOf(node), replacement: '' }];
    });
    return edits.flatMap((edit): RevertedBlock[] => {
      const part = partOf(source, edit);
      return part === undefined ? [] : [{ ...part, ignoresTypes: true }];
    });
  });
}

/** The edit that looks up the first key of a table with the same value for all, in the place of the computed one. */
function fixedKey(
  node: Node,
  { parsed: { text, tree } }: ChangedSource,
  isAdded: (node: Node) => boolean,
): TextEdit | undefined {
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
  const isGet = node.type === 'CallExpression' && calledName(node.callee) === 'get';
  if (!isMember && !isGet) return undefined;
  const table = tableOf(node, tree.program);
  const [first, ...others] = table === undefined || !isAdded(table) ? [] : entriesOf(table, text);
  if (first === undefined || others.some(({ value }) => value !== first.value)) return undefined;
  const object = isMember ? node.object : (node.callee as { readonly object: Node }).object;
  const replacement = isMember ? `[${first.key}]` : `.get(${first.key})`;
  return { start: endOf(object), end: endOf(node), replacement };
}

interface Entry {
  readonly key: string;
  readonly value: string;
}

/** The texts of the keys and values of a table; none if one of them is no literal. */
function entriesOf(given: Node, text: string): Entry[] {
  const table = given.type === 'VariableDeclarator' && given.init ? bare(given.init) : given;
  const slice = (node: Node): string => text.slice(startOf(node), endOf(node));
  const entries = (): (Entry | undefined)[] => {
    if (table.type === 'ObjectExpression')
      return table.properties.map((it) => {
        if (it.type !== 'ObjectProperty' || it.computed || !isLiteral(it.value)) return undefined;
        const key = it.key.type === 'Identifier' ? `'${it.key.name}'` : slice(it.key);
        return { key, value: slice(it.value) };
      });
    if (table.type !== 'NewExpression') return [];
    const [pairs] = table.arguments;
    const list = pairs && bare(pairs);
    return list?.type !== 'ArrayExpression' ? [] : list.elements.map((it) => entryOf(it, slice));
  };
  const found = entries();
  return found.every((it) => it !== undefined) ? found : [];
}

function entryOf(pair: Node | null, slice: (node: Node) => string): Entry | undefined {
  if (pair?.type !== 'ArrayExpression') return undefined;
  const [key, value] = pair.elements;
  return key && value && isLiteral(key) && isLiteral(value)
    ? { key: slice(key), value: slice(value) }
    : undefined;
}

function isLiteral(node: Node): boolean {
  return /^(?:String|Numeric|Boolean|BigInt)Literal$/.test(node.type);
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
