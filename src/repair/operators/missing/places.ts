import type { Node } from '@babel/types';
import { inStatementList, inLoop, functionOf, nearest, type Site } from '../../syntax/walk.ts';
import type { Proposal, SourceView } from '../operator.ts';
import { insertAt } from '../proposals.ts';

/** A place between two statements where one may be missing. */
export interface Place {
  readonly offset: number;
  /** What is visible at this site is visible at the place. */
  readonly site: Site;
  /** Whether the block has no statement. */
  readonly isEmpty: boolean;
  readonly inLoop: boolean;
  /** Whether `this` is an object there: in a method, or in a function that uses `this`. */
  readonly hasThis: boolean;
}

/** The place before a statement, or at the end of a block, inside a function; undefined if there is none at the site. */
export function placeAt(site: Site, source: SourceView): Place | undefined {
  const { node, parent } = site;
  if (parent === undefined || functionOf(parent) === undefined) return undefined;
  if (inStatementList(site) && parent.node.type === 'BlockStatement' && !isHoisted(node)) {
    return {
      offset: node.start!,
      site,
      isEmpty: false,
      inLoop: inLoop(parent),
      hasThis: hasThis(site, source),
    };
  }
  if (node.type !== 'BlockStatement' || isJump(node.body.at(-1))) return undefined;
  const end = { ...node, start: node.end! - 1 };
  return {
    offset: end.start,
    site: { ...site, node: end },
    isEmpty: node.body.length === 0,
    inLoop: inLoop(site),
    hasThis: hasThis(site, source),
  };
}

/** Inserts a statement at a place. An empty block most likely lacks one. */
export function insertion({ offset, isEmpty }: Place, statement: string, factor: number): Proposal {
  return insertAt(offset, `${statement}\n`, isEmpty ? factor * EMPTY_FACTOR : factor);
}

const EMPTY_FACTOR = 3;

const owners = new WeakMap<readonly Site[], boolean>();

function hasThis(site: Site, source: SourceView): boolean {
  const isMethod = nearest(site, ({ type }) => METHODS.has(type)) !== undefined;
  if (isMethod) return true;
  const sites = source.withinFunction(site);
  const known = owners.get(sites);
  if (known !== undefined) return known;
  const found = sites.some(({ node }) => node.type === 'ThisExpression');
  owners.set(sites, found);
  return found;
}

function isJump(node: Node | undefined): boolean {
  return node !== undefined && /^(Return|Break|Continue|Throw)Statement$/.test(node.type);
}

function isHoisted({ type }: Node): boolean {
  return /^(Function|Class)Declaration$/.test(type);
}

const METHODS = new Set(['ClassMethod', 'ClassPrivateMethod', 'ObjectMethod']);
