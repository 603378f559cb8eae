import type { Node } from '@babel/types';
import type { Edit } from '../../syntax/edit.ts';
import { endOf, startOf, type ParsedSource } from '../../syntax/parse.ts';
import { isLoneBody, runsPerCall } from '../../syntax/walk.ts';
import { inStatementList, isFunction, isStatement, sitesOf, type Site } from '../../syntax/walk.ts';
import { moduleConstants, type ModuleConstant } from './module-constants.ts';

/**
 * A piece of code of which an edited copy can stand beside the original: it runs with each call and declares no
 * name that code outside of it uses. For a module's constant it is the initializer, chosen at each read.
 */
export interface CopyableRegion {
  readonly kind: 'statement' | 'initializer' | 'arrow' | 'body' | 'constant';
  /** 0-based UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly constant?: ModuleConstant;
}

/** Every copyable region of a file, in no particular order; regions nest. */
export function copyableRegions(parsed: ParsedSource): CopyableRegion[] {
  const constants = moduleConstants(parsed).map((constant): CopyableRegion => {
    const { start, end } = constant;
    return { kind: 'constant', start, end, constant };
  });
  return [...constants, ...sitesOf(parsed.tree.program).flatMap((site) => regionsAt(site, parsed.text))];
}

/** The smallest region that holds all the edits; of equal ones the last given. */
export function smallestAround(
  regions: readonly CopyableRegion[],
  edits: readonly Edit[],
): CopyableRegion | undefined {
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  let best: CopyableRegion | undefined;
  for (const region of regions) {
    if (region.start > start || region.end < end) continue;
    if (best === undefined || region.end - region.start <= best.end - best.start) best = region;
  }
  return best;
}

function regionsAt(site: Site, text: string): CopyableRegion[] {
  const { node, key, parent } = site;
  const range = { start: startOf(node), end: endOf(node) };
  if (isFunction(node)) return bodyRegion(site, text);
  if (!runsPerCall(site)) return [];
  if (parent?.node.type === 'ArrowFunctionExpression' && key === 'body' && node.type !== 'BlockStatement') {
    return [{ kind: 'arrow', ...range }];
  }
  if (parent?.node.type === 'VariableDeclarator' && key === 'init')
    return [{ kind: 'initializer', ...range }];
  return isCopyable(site, text) ? [{ kind: 'statement', ...range }] : [];
}

function isCopyable(site: Site, text: string): boolean {
  const { node } = site;
  if (!isStatement(node) || !(inStatementList(site) || isLoneBody(site))) return false;
  if (DECLARING.has(node.type) && !(node.type === 'VariableDeclaration' && node.kind === 'var')) return false;
  return !callsSuper(node, text);
}

const DECLARING = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);

/** The inside of a body in braces, after its directives; none where `super()` must be called first. */
function bodyRegion({ node }: Site, text: string): CopyableRegion[] {
  const body = 'body' in node ? node.body : undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body.type !== 'BlockStatement')
    return [];
  if (callsSuper(body, text)) return [];
  const last = body.directives.at(-1);
  return [
    { kind: 'body', start: last === undefined ? startOf(body) + 1 : endOf(last), end: endOf(body) - 1 },
  ];
}

function callsSuper(node: Node, text: string): boolean {
  return /\bsuper\s*\(/.test(text.slice(startOf(node), endOf(node)));
}
