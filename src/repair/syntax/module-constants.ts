import { bindingsOf } from './bindings.ts';
import { isRead } from '../operators/operator.ts';
import { endOf, startOf, type ParsedSource } from './parse.ts';
import { runsPerCall } from '../localise/trace.ts';
import { nearest, sitesOf, type Site } from './walk.ts';
import type { Wrapping } from './wrappings.ts';

/** A constant of a module, set once as the module loads, that functions of the same file read. */
export interface ModuleConstant {
  /** The expression that it is set to: 0-based UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly reads: readonly Read[];
}

interface Read {
  readonly start: number;
  readonly end: number;
  /** `name` in `{ name }`, where the value needs the name in front of it. */
  readonly shorthand: string | undefined;
}

/**
 * Constants whose reads can be given another value one by one: names that are bound once in the file. What other
 * files read of them is out of reach.
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

/** What makes every read of a constant ask the function called `choose`, while `isActive` holds. */
export function redirectReads({ reads }: ModuleConstant, isActive: string, choose: string): Wrapping[] {
  return reads.map(({ start, end, shorthand }) => ({
    start,
    end,
    before: `${shorthand === undefined ? '' : `${shorthand}:`}(${isActive}?${choose}():`,
    after: ')',
  }));
}

/**
 * The declaration of that function, from what says which candidate is active, what notes that it was reached, and
 * the choice itself: a value of its own for each candidate, made when it is first read and kept
 * while that candidate is active, as a constant is.
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
