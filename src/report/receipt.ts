import { plural } from '../platform/text/plural.ts';
import type { CheckSummary, Verdict } from '../schema/generated.ts';

/**
 * Renders how the reward was computed, one line per check in aligned columns: name, result, weight × score = share.
 * `tests  41/43 passed  0.50 × 0.953 = 0.477`. The last line is the sum.
 */
export function renderReceipt({ checks, reward }: Pick<Verdict, 'checks' | 'reward'>): string[] {
  const rows = checks.map((check) => [check.name, renderCheckResult(check), renderProduct(check)] as const);
  const [names, counts] = [widthOf(rows.map(([name]) => name)), widthOf(rows.map(([, count]) => count))];
  const lines = rows.map(
    ([name, count, product]) => `${name.padEnd(names)}  ${count.padEnd(counts)}  ${product}`,
  );
  return [...lines, `${'reward'.padEnd(names)}  ${''.padEnd(counts)}  ${reward.toFixed(3)}`];
}

/** Result of a check in a few words: `41/43 passed`, `2 errors`, `could not run`. */
export function renderCheckResult(check: CheckSummary): string {
  if (check.status === 'error') return 'could not run';
  if (check.status === 'skip') return 'skipped';
  if (check.total > 0) {
    const isBeyondTests = check.status === 'fail' && check.failed === 0 && check.errors > 0;
    return `${check.passed}/${check.total} passed${isBeyondTests ? `, ${plural(check.errors, 'error')}` : ''}`;
  }
  if (check.errors > 0) return plural(check.errors, 'error');
  return check.status === 'pass' ? 'passed' : 'failed';
}

function renderProduct({ weight, score }: CheckSummary): string {
  return `${weight.toFixed(2)} × ${score.toFixed(3)} = ${(weight * score).toFixed(3)}`;
}

function widthOf(texts: readonly string[]): number {
  return Math.max('reward'.length, ...texts.map((text) => text.length));
}
