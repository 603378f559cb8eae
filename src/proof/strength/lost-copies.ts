import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import { addedIn, partOf } from './added-parts.ts';
import { baseOf, type ChangedSource } from './changed-source.ts';
import type { RevertedBlock } from './reverted-blocks.ts';

const CHANGES = /^(?:sort|reverse|splice|push|pop|shift|unshift|fill|copyWithin)$/;

/**
 * Lists and objects that a change alters in place where the base altered a copy of them, each with the edit that copies them again:
 * `this.items.sort()` for `[...this.items].sort()`.
 */
export function lostCopies(sources: readonly ChangedSource[]): RevertedBlock[] {
  return sources.flatMap((source) => {
    const { file, parsed } = source;
    const base = parseSource(file, baseOf(source));
    if ('problem' in base) return [];
    const [were, are] = [copiesIn(base), copiesIn(parsed)];
    const isAdded = addedIn(source);
    return sitesOf(parsed.tree.program).flatMap(({ node }): RevertedBlock[] => {
      const altered = isAdded(node) ? alteredBy(node) : undefined;
      if (altered === undefined) return [];
      const text = textOf(parsed, altered);
      const copy = were.get(text);
      if (copy === undefined || (are.get(text)?.count ?? 0) >= copy.count) return [];
      const edit: TextEdit = { start: startOf(altered), end: endOf(altered), replacement: copy.text };
      const part = partOf(source, edit);
      if (part === undefined) return [];
      const { added: _, ...rest } = part;
      return [{ ...rest, removed: copy.text }];
    });
  });
}

/** What a call changes in place: the list whose method it calls, or the first argument of `Object.assign`. */
function alteredBy(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  if (property.type !== 'Identifier') return undefined;
  if (CHANGES.test(property.name)) return isPath(object) ? object : undefined;
  const [first] = node.arguments;
  const isAssign = property.name === 'assign' && object.type === 'Identifier' && object.name === 'Object';
  return isAssign && first !== undefined && isPath(first) ? first : undefined;
}

/** A name, or members of one. */
function isPath(node: Node): boolean {
  if (node.type === 'MemberExpression') return !node.computed && isPath(node.object);
  return node.type === 'Identifier' || node.type === 'ThisExpression';
}

interface Copy {
  /** The expression that copies. */
  readonly text: string;
  readonly count: number;
}

/** The copies that a text makes, by what is copied. */
function copiesIn(parsed: ParsedSource): Map<string, Copy> {
  const found = new Map<string, Copy>();
  const add = (of: Node, text: string): void => {
    const key = textOf(parsed, of);
    found.set(key, { text, count: (found.get(key)?.count ?? 0) + 1 });
  };
  for (const { node } of sitesOf(parsed.tree.program)) {
    const parts =
      node.type === 'ArrayExpression'
        ? node.elements
        : node.type === 'ObjectExpression'
          ? node.properties
          : [];
    const [first] = parts;
    if (first?.type === 'SpreadElement' && isPath(first.argument)) {
      const of = textOf(parsed, first.argument);
      add(first.argument, node.type === 'ArrayExpression' ? `[...${of}]` : `{ ...${of} }`);
    }
    if (node.type !== 'CallExpression') continue;
    const callee = textOf(parsed, node.callee);
    const [argument] = node.arguments;
    if (/^(?:Array\.from|structuredClone)$/.test(callee) && argument && isPath(argument))
      add(argument, textOf(parsed, node));
    if (node.callee.type === 'MemberExpression' && /\.slice$/.test(callee) && argument === undefined)
      add(node.callee.object, textOf(parsed, node));
  }
  return found;
}

function textOf(parsed: ParsedSource, node: Node): string {
  return parsed.text.slice(startOf(node), endOf(node));
}
