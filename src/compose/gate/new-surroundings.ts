import { describeRead, type AddedRead } from './added-reads.ts';

const MOST_SHOWN = 2;

/**
 * Sentences on places of changed sources that newly decide by their surroundings, such as the folder, the process or a file:
 * the tree was judged in a copy, where these may be others.
 */
export function newSurroundings(reads: readonly AddedRead[]): string[] {
  const found = reads.filter(({ use }) => use !== 'value').map(describeRead);
  if (found.length === 0) return [];
  const more = found.length > MOST_SHOWN ? ` and ${found.length - MOST_SHOWN} more` : '';
  return [
    `The change newly decides by its surroundings: ${found.slice(0, MOST_SHOWN).join(', ')}${more}. It was judged in a copy of your folder, where these may be others.`,
  ];
}
