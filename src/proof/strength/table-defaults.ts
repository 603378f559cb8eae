import type { Node, Program } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf } from '../../repair/syntax/parse.ts';
import { bare, calledName, sitesOf } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import type { ChangedSource } from './changed-source.ts';
import { tells } from './fixed-questions.ts';
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
      const fixed = fixedKeys(node, source, isAdded);
      if (fixed.length > 0) return fixed;
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

/** Most keys of a table that are tried in the place of a key that tells who calls. */
const MAX_KEYS = 4;

/**
 * The edits that look up one key in any case: the first of a table with the same value for all, and each where the key tells who
 * calls, or when (`[0, value][this.listeners('change').length]`).
 */
function fixedKeys(
  node: Node,
  { parsed: { text, tree } }: ChangedSource,
  isAdded: (node: Node) => boolean,
): TextEdit[] {
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
  const isGet = node.type === 'CallExpression' && calledName(node.callee) === 'get';
  if (!isMember && !isGet) return [];
  const table = tableOf(node, tree.program);
  if (table === undefined || !isAdded(table)) return [];
  const key = isMember ? node.property : node.arguments[0];
  const entries = entriesOf(table, text);
  const isSame = entries.length > 0 && entries.every(({ value }) => value === entries[0]!.value);
  const keys = isSame ? [entries[0]!.key] : key && tells(key) ? keysOf(table, text) : [];
  const object = isMember ? node.object : (node.callee as { readonly object: Node }).object;
  return keys.slice(0, MAX_KEYS).map((fixed) => ({
    start: endOf(object),
    end: endOf(node),
    replacement: isMember ? `[${fixed}]` : `.get(${fixed})`,
  }));
}

/** The texts of the keys of a table, whatever their values are. */
function keysOf(given: Node, text: string): string[] {
  const table = given.type === 'VariableDeclarator' && given.init ? bare(given.init) : given;
  if (table.type === 'ArrayExpression') return table.elements.map((_, at) => String(at));
  if (table.type !== 'ObjectExpression') return [];
  return table.properties.flatMap((it) => {
    if (it.type !== 'ObjectProperty' || it.computed) return [];
    return [it.key.type === 'Identifier' ? `'${it.key.name}'` : text.slice(startOf(it.key), endOf(it.key))];
  });
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
