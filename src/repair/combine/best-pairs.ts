import { Heap } from './heap.ts';

/** Single edits, by index, whose pairs score `factor` times the product of their weights. */
export interface PairGroup {
  readonly factor: number;
  readonly left: readonly number[];
  /** Pairs take one edit from each list; both from `left` if absent. */
  readonly right?: readonly number[];
}

/** Two single edits by index, `first` below `second`, with their highest score in any group. */
export interface NumberedPair {
  readonly first: number;
  readonly second: number;
  readonly score: number;
}

/** The best pair of a row that was not yet returned. */
interface Head {
  readonly score: number;
  readonly rank: number;
  readonly group: SortedGroup;
  readonly row: number;
  readonly column: number;
}

interface SortedGroup {
  readonly factor: number;
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly within: boolean;
}

/**
 * Pairs of all groups, best first, each once and with its highest score. `weights` are by index. Holds one pair for
 * each row begun, so the cost grows with the number of pairs taken, not with the number of possible pairs.
 */
export function* bestPairs(
  weights: readonly number[],
  groups: readonly PairGroup[],
): Generator<NumberedPair, void> {
  const heap = new Heap<Head>();
  const push = (group: SortedGroup, row: number, column: number): void => {
    const [a, b] = [group.left[row], group.right[column]];
    if (a === undefined || b === undefined) return;
    const score = group.factor * weights[a]! * weights[b]!;
    if (score > 0) heap.push({ score, rank: pairNumber(a, b, weights.length), group, row, column });
  };
  for (const group of groups) push(sorted(group, weights), 0, group.right === undefined ? 1 : 0);
  const seen = new Set<number>();
  for (let head = heap.pop(); head !== undefined; head = heap.pop()) {
    const { group, row, column, score, rank } = head;
    push(group, row, column + 1);
    if (group.within ? column === row + 1 : column === 0) push(group, row + 1, group.within ? row + 2 : 0);
    const [a, b] = [group.left[row]!, group.right[column]!];
    if (a === b || seen.has(rank)) continue;
    seen.add(rank);
    yield { first: Math.min(a, b), second: Math.max(a, b), score };
  }
}

function sorted({ factor, left, right }: PairGroup, weights: readonly number[]): SortedGroup {
  const byWeight = (list: readonly number[]): number[] =>
    list.toSorted((a, b) => weights[b]! - weights[a]! || a - b);
  const first = byWeight(left);
  return {
    factor,
    left: first,
    right: right === undefined ? first : byWeight(right),
    within: right === undefined,
  };
}

function pairNumber(a: number, b: number, count: number): number {
  return Math.min(a, b) * count + Math.max(a, b);
}
