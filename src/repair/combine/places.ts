import type { Candidate } from '../syntax/edit.ts';
import { startOf } from '../syntax/parse.ts';
import { functionOf, type Site, statementOf } from '../syntax/walk.ts';
import type { SiteIndex } from './site-index.ts';

/** Where in the program a candidate's edits stand. Positions are offsets of nodes, which tell them apart. */
export interface Place {
  /** The outermost function, -1 outside of functions. */
  readonly owner: number;
  readonly statement: Site;
  /** The statement's child that holds the edits, `test` or `body` for example; empty for the statement itself. */
  readonly slot: string;
  /** The chain of operators around the edits and which operand of it they are in. */
  readonly chain?: { readonly start: number; readonly operand: number };
  /** Names that the edits take away or bring in. */
  readonly names: ReadonlySet<string>;
}

/** Finds the place of a candidate for the file with this text. */
export function placeOf({ edits }: Candidate, siteAt: SiteIndex, text: string): Place {
  const site = siteAt(edits[0]!.start, edits.at(-1)!.end);
  const statement = wholeStatement(site);
  const chain = chainAround(site);
  return {
    owner: outermostOwner(site),
    statement,
    slot: slotOf(site, statement),
    ...(chain && { chain }),
    names: new Set(edits.flatMap((edit) => changedNames(text.slice(edit.start, edit.end), edit.replacement))),
  };
}

/** The statement; the loop for what stands in its head. */
function wholeStatement(site: Site): Site {
  const found = statementOf(site);
  if (found === undefined) return site;
  const inHead = found.key === 'init' || found.key === 'left';
  return inHead && found.parent !== undefined ? found.parent : found;
}

function slotOf(site: Site, statement: Site): string {
  let slot = '';
  for (let at: Site | undefined = site; at !== undefined && at !== statement; at = at.parent) slot = at.key;
  return slot;
}

function chainAround(site: Site): Place['chain'] {
  let operand: Site | undefined;
  let top: Site | undefined;
  for (let at: Site | undefined = site; at?.parent !== undefined; at = at.parent) {
    if (!/^(Logical|Binary|Parenthesized)Expression$/.test(at.parent.node.type)) {
      if (operand !== undefined) break;
      continue;
    }
    if (at.parent.node.type !== 'ParenthesizedExpression') operand ??= at;
    if (operand !== undefined) top = at.parent;
  }
  return operand && top && { start: startOf(top.node), operand: startOf(operand.node) };
}

function outermostOwner(site: Site): number {
  let owner = -1;
  for (let at = functionOf(site); at !== undefined; at = at.parent && functionOf(at.parent)) {
    owner = startOf(at.node);
  }
  return owner;
}

function changedNames(before: string, after: string): string[] {
  const [old, now] = [namesIn(before), namesIn(after)];
  return [...[...old].filter((name) => !now.has(name)), ...[...now].filter((name) => !old.has(name))];
}

function namesIn(text: string): Set<string> {
  return new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
}
