import { bindingsOf } from '../../syntax/bindings.ts';
import { isRead } from '../../syntax/reads.ts';
import { endOf, startOf, type ParsedSource } from '../../syntax/parse.ts';

import { nearest, runsPerCall, sitesOf, type Site } from '../../syntax/walk.ts';
import type { Wrapping } from '../../syntax/wrappings.ts';

/** A constant of a module that is set once, while the module loads, and read by functions of the same file. */
export interface ModuleConstant {
  /** The initializer's range: 0-based UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly reads: readonly Read[];
}

interface Read {
  readonly start: number;
  readonly end: number;
  /** The name in a shorthand property `{ name }`, which must be written before the value. */
  readonly shorthand: string | undefined;
}

/**
 * Constants whose reads can each be given another value: names that are bound once in the file. Reads in other
 * files keep the original value.
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

/** Wrappings that make every read of a constant call the function named `choose` while `isActive` holds. */
export function redirectReads({ reads }: ModuleConstant, isActive: string, choose: string): Wrapping[] {
  return reads.map(({ start, end, shorthand }) => ({
    start,
    end,
    before: `${shorthand === undefined ? '' : `${shorthand}:`}(${isActive}?${choose}():`,
    after: ')',
  }));
}

/** Source texts that `renderChooser` puts together. */
export interface ChooserParts {
  /** An expression: the number of the active candidate. */
  readonly active: string;
  /** A statement that records that the candidate's code was reached. */
  readonly reached: string;
  /** An expression: the active candidate's value of the constant. */
  readonly value: string;
}

/**
 * The declaration of the function named `choose`. It evaluates the active candidate's value on the first read and
 * returns the same value until another candidate is active, as a constant would.
 */
export function renderChooser(choose: string, { active, reached, value }: ChooserParts): string {
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
