import type { Node } from '@babel/types';
import { endOf, startOf } from '../syntax/parse.ts';
import { fit } from '../syntax/precedence.ts';
import type { Site } from '../syntax/walk.ts';
import type { Proposal } from './operator.ts';

/** Replaces one node. */
export function replaceNode(node: Node, replacement: string, factor = 1): Proposal {
  return replaceRange(startOf(node), endOf(node), replacement, factor);
}

/** Replaces the site's expression, with parentheses if its parent needs them. */
export function replaceSite(site: Site, text: string, precedence: number, factor = 1): Proposal {
  return replaceNode(site.node, fit(site, text, precedence), factor);
}

/** Replaces the text between two offsets; `end` is exclusive. */
export function replaceRange(start: number, end: number, replacement: string, factor = 1): Proposal {
  return { edits: [{ start, end, replacement }], factor };
}

/** Inserts text before the offset. */
export function insertAt(offset: number, text: string, factor = 1): Proposal {
  return replaceRange(offset, offset, text, factor);
}

/** Several replacements as one proposal; their own factors are ignored. */
export function together(proposals: readonly Proposal[], factor = 1): Proposal {
  const edits = proposals.flatMap((proposal) => proposal.edits).sort((a, b) => a.start - b.start);
  return { edits, factor };
}

/** Exchanges the texts of two nodes. */
export function swap(a: Node, b: Node, textOf: (node: Node) => string, factor: number): Proposal {
  return together([replaceNode(a, textOf(b)), replaceNode(b, textOf(a))], factor);
}

/** Replaces the operator between two operands; `text` is the whole file. */
export function replaceOperator(
  node: { left: Node; right: Node; operator: string },
  replacement: string,
  { text, factor = 1 }: { text: string; factor?: number },
): Proposal {
  const start = text.indexOf(node.operator, endOf(node.left));
  return replaceRange(start, start + node.operator.length, replacement, factor);
}
