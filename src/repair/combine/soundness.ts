import type { Candidate, Edit } from '../syntax/edit.ts';
import type { Range } from '../syntax/regions.ts';
import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { createSyntaxCheck } from '../syntax/syntax-check.ts';
import { isStatement, type Site } from '../syntax/walk.ts';
import type { SiteIndex } from './site-index.ts';

/** Whether the file still parses with all the edits of candidates that parse alone. */
export type CombinationCheck = (parts: readonly Candidate[], edits: readonly Edit[]) => boolean;

const DECLARES = /\b(?:let|const|var|class|function|import)\b/;

/**
 * Creates the check for one file. Edits in separate pieces of code cannot break each other's syntax unless they declare
 * a name; only the others are parsed together.
 */
export function createCombinationCheck(parsed: ParsedSource, siteAt: SiteIndex): CombinationCheck {
  const isSound = createSyntaxCheck(parsed);
  const pieces = new Map<Candidate, Range | undefined>();
  const pieceOf = (candidate: Candidate): Range | undefined => {
    if (!pieces.has(candidate)) pieces.set(candidate, findPiece(candidate, siteAt));
    return pieces.get(candidate);
  };
  return (parts, edits) => {
    const ranges = parts.map(pieceOf).filter((piece) => piece !== undefined);
    if (ranges.length === parts.length && areApart(ranges)) return true;
    return isSound(siteAt(edits[0]!.start, edits.at(-1)!.end), edits);
  };
}

function areApart(ranges: readonly Range[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  return sorted.every((range, index) => index === 0 || sorted[index - 1]!.end <= range.start);
}

/** The smallest statement or delimited expression around a candidate's edits; undefined if the edits declare a name. */
function findPiece({ edits }: Candidate, siteAt: SiteIndex): Range | undefined {
  if (edits.some(({ replacement }) => DECLARES.test(replacement))) return undefined;
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  for (let at: Site | undefined = siteAt(start, end); at !== undefined; at = at.parent) {
    const range = { start: startOf(at.node), end: endOf(at.node) };
    if (isStatement(at.node) && range.start < start && end < range.end) return range;
    if (isDelimited(at)) return range;
  }
  return undefined;
}

/** Whether parentheses or semicolons of the surrounding statement enclose the expression. */
function isDelimited({ node, key, parent }: Site): boolean {
  if (node.type === 'VariableDeclaration') return false;
  switch (parent?.node.type) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return key === 'test';
    case 'ForStatement':
      return key === 'test' || key === 'update';
    case 'SwitchStatement':
      return key === 'discriminant';
    default:
      return false;
  }
}
