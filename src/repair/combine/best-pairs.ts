import { Heap } from './heap.ts';

/** Singles by number whose pairs are worth `factor` times the product of their weights. */
export interface PairGroup {
  readonly factor: number;
  readonly left: readonly number[];
  /** The pairs go across both lists; within `left` when absent. */
  readonly right?: readonly number[];
}

/** Two singles by number, `first` below `second`, and what the best group that holds them gives. */
export interface NumberedPair {
  readonly first: number;
  readonly second: number;
  readonly score: number;
}

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
 * Pairs of all groups, best first, each once and with its highest score. Only the next pair of each row that was
 * begun is kept: the cost grows with the pairs that are taken, not with those there are.
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
