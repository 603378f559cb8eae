import { bindingsOf } from './bindings.ts';
import { endOf, startOf, type ParsedSource } from './parse.ts';
import { isRead } from './reads.ts';
import { runsPerCall, nearest, sitesOf, type Site } from './walk.ts';
import type { Wrapping } from './wrappings.ts';

/** A top-level constant that functions of the same file read. */
export interface ModuleConstant {
  /** 0-based UTF-16 offset of its value's expression. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly reads: readonly Read[];
}

interface Read {
  readonly start: number;
  readonly end: number;
  /** The property name if the read is a shorthand, `{ name }`; a replacement must repeat it. */
  readonly shorthand: string | undefined;
}

/**
 * Top-level constants whose reads can be redirected: their names are bound once in the file and hold no function or
 * class. Reads in other files are not covered.
 */
export function moduleConstants({ tree }: ParsedSource): ModuleConstant[] {
  const sites = sitesOf(tree.program);
  const bound = Map.groupBy(bindingsOf(sites), ({ name }) => name);
  return sites.flatMap((site) => {
    const { node } = site;
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return [];
    const { name } = node.id;
    const declaration = site.parent?.node;
    const isConstant = declaration?.type === 'VariableDeclaration' && declaration.kind === 'const';
    if (!isConstant || runsPerCall(site) || isInBlock(site) || bound.get(name)?.length !== 1) return [];
    if (/Function|Class/.test(node.init.type)) return [];
    const reads = sites
      .filter((at) => at.node.type === 'Identifier' && at.node.name === name)
      .flatMap(readAt);
    return reads.length === 0 ? [] : [{ start: startOf(node.init), end: endOf(node.init), reads }];
  });
}

/** Wraps every read of a constant so that it calls the function `choose` while the expression `isActive` is true. */
export function redirectReads({ reads }: ModuleConstant, isActive: string, choose: string): Wrapping[] {
  return reads.map(({ start, end, shorthand }) => ({
    start,
    end,
    before: `${shorthand === undefined ? '' : `${shorthand}:`}(${isActive}?${choose}():`,
    after: ')',
  }));
}

/**
 * Source text of the function `choose`. Like a constant, its value is computed on the first read and kept while the
 * same candidate is active. `active` is an expression for the candidate's id, `reached` a statement that records the
 * read, `value` an expression for the active candidate's value.
 */
export function chooser(
  choose: string,
  { active, reached, value }: { active: string; reached: string; value: string },
): string {
  const set = `${choose}.value=${value};${choose}.id=${active};`;
  return `\nfunction ${choose}(){${reached};if(${choose}.id!==${active}){${set}}return ${choose}.value;}\n`;
}

function readAt(site: Site): Read[] {
  const { node, parent } = site;
  if (!runsPerCall(site) || parent === undefined) return [];
  const { type } = parent.node;
  if (/^JSX|^TS|Specifier$/.test(type)) return [];
  const range = { start: startOf(node), end: endOf(node) };
  if (type === 'ObjectProperty' && parent.node.shorthand) {
    const isPattern = parent.parent?.node.type === 'ObjectPattern';
    return isPattern || site.key !== 'value'
      ? []
      : [{ ...range, shorthand: (node as { name: string }).name }];
  }
  return isRead(site) ? [{ ...range, shorthand: undefined }] : [];
}

function isInBlock(site: Site): boolean {
  return nearest(site, ({ type }) => type === 'BlockStatement' || type === 'StaticBlock') !== undefined;
}
