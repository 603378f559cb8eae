import type { Candidate } from '../syntax/edit.ts';
import { startOf } from '../syntax/parse.ts';
import { functionOf, type Site, statementOf } from '../syntax/walk.ts';
import type { SiteIndex } from './site-index.ts';

/** The place of a candidate's edits in the program. Nodes are identified by their start offsets. */
export interface Place {
  /** The outermost function around the edits; -1 outside of functions. */
  readonly owner: number;
  readonly statement: Site;
  /** The statement's field that holds the edits, such as `test` or `body`; '' for the statement itself. */
  readonly slot: string;
  /** The chain of binary or logical operators around the edits, and the operand that holds them. */
  readonly chain?: { readonly start: number; readonly operand: number };
  /** Names that the edits remove or insert. */
  readonly names: ReadonlySet<string>;
}

/** The place of a candidate; `text` is the text of its file. */
export function placeOf({ edits }: Candidate, siteAt: SiteIndex, text: string): Place {
  const site = siteAt(edits[0]!.start, edits.at(-1)!.end);
  const statement = wholeStatement(site);
  const chain = chainAround(site);
  return {
    owner: outermostOwner(site),
    statement,
    slot: slotOf(site, statement),
    chain,
    names: new Set(edits.flatMap((edit) => changedNames(text.slice(edit.start, edit.end), edit.replacement))),
  };
}

/** The statement around a site; the loop for a declaration in the loop's head. */
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
