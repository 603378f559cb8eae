import type { CheckSummary, Verdict } from '../schema/generated.ts';

/**
 * How the reward came about, one line a check, columns aligned: name, what it counted, weight × score = share.
 * `tests  41/43 passed  0.50 × 0.953 = 0.477`. The last line is the sum.
 */
export function renderReceipt({ checks, reward }: Pick<Verdict, 'checks' | 'reward'>): string[] {
  const rows = checks.map((check) => [check.name, countOf(check), productOf(check)] as const);
  const [names, counts] = [widthOf(rows.map(([name]) => name)), widthOf(rows.map(([, count]) => count))];
  const lines = rows.map(
    ([name, count, product]) => `${name.padEnd(names)}  ${count.padEnd(counts)}  ${product}`,
  );
  return [...lines, `${'reward'.padEnd(names)}  ${''.padEnd(counts)}  ${reward.toFixed(3)}`];
}

/** What a check counted, in a word or two: `41/43 passed`, `2 errors`, `could not run`. */
export function countOf(check: CheckSummary): string {
  if (check.status === 'error') return 'could not run';
  if (check.status === 'skip') return 'skipped';
  if (check.total > 0) return `${check.passed}/${check.total} passed`;
  if (check.errors > 0) return check.errors === 1 ? '1 error' : `${check.errors} errors`;
  return check.status === 'pass' ? 'passed' : 'failed';
}

function productOf({ weight, score }: CheckSummary): string {
  return `${weight.toFixed(2)} × ${score.toFixed(3)} = ${(weight * score).toFixed(3)}`;
}

function widthOf(texts: readonly string[]): number {
  return Math.max('reward'.length, ...texts.map((text) => text.length));
}
