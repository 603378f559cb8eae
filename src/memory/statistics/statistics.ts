/** A 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Normal quantile of a two-sided 95 % interval. */
const Z = 1.959964;
const RESAMPLES = 2000;
/** Resamples for very many items, whose figures vary little. */
const LEAST_RESAMPLES = 200;
const MOST_DRAWS = 4_000_000;
const SEED = 7;

/** Arithmetic mean; null for no values. */
export function mean(values: readonly number[]): number | null {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? null : sum / values.length;
}

/** The middle value, or the mean of the two middle ones; null for no values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return mean(middle);
}

/**
 * The score interval of a share (E. B. Wilson, 1927, JASA 22): `part` of `whole`, within 0..1; null where `whole`
 * is 0.
 */
export function wilson(part: number, whole: number): Interval | null {
  if (whole === 0) return null;
  const share = part / whole;
  const scale = 1 + Z ** 2 / whole;
  const centre = (share + Z ** 2 / (2 * whole)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / whole + Z ** 2 / (4 * whole ** 2));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * The interval of the difference of two independent shares, the first minus the second (R. G. Newcombe, 1998,
 * Statistics in Medicine 17, method 10); null where a `whole` is 0.
 */
export function differenceOfShares(
  first: { readonly part: number; readonly whole: number },
  second: { readonly part: number; readonly whole: number },
): Interval | null {
  const [one, two] = [wilson(first.part, first.whole), wilson(second.part, second.whole)];
  if (one === null || two === null) return null;
  const [a, b] = [first.part / first.whole, second.part / second.whole];
  return {
    low: a - b - Math.hypot(a - one.low, two.high - b),
    high: a - b + Math.hypot(one.high - a, b - two.low),
  };
}

/** Pearson's correlation, −1..1; null for fewer than two pairs, or where one side never varies. */
export function correlation(pairs: readonly (readonly [number, number])[]): number | null {
  let [sumX, sumY] = [0, 0];
  for (const [x, y] of pairs) {
    sumX += x;
    sumY += y;
  }
  const [meanX, meanY] = [sumX / pairs.length, sumY / pairs.length];
  let [varianceX, varianceY, product] = [0, 0, 0];
  for (const [x, y] of pairs) {
    varianceX += (x - meanX) * (x - meanX);
    varianceY += (y - meanY) * (y - meanY);
    product += (x - meanX) * (y - meanY);
  }
  const spread = Math.sqrt(varianceX * varianceY);
  // Rounding errors alone are no variation.
  return !(spread >= 1e-12) ? null : Math.max(-1, Math.min(1, product / spread));
}

/**
 * Percentile bootstrap interval of a figure (B. Efron, 1979) from 2,000 resamples of its items, down to 200 for more than
 * 2,000 items. The seed is fixed, so equal items give equal intervals. Resamples without a figure are left out; null
 * where they are more than half. Each resample is in the same array: `figure` must not keep it.
 */
export function bootstrap<Item>(
  items: readonly Item[],
  figure: (items: readonly Item[]) => number | null,
): Interval | null {
  const random = randomNumbers();
  const figures: number[] = [];
  const most = Math.max(LEAST_RESAMPLES, Math.min(RESAMPLES, Math.floor(MOST_DRAWS / items.length)));
  const drawn = [...items];
  for (let count = 0; count < most && items.length > 0; count++) {
    for (let at = 0; at < items.length; at++) drawn[at] = items[Math.floor(random() * items.length)]!;
    const value = figure(drawn);
    if (value !== null) figures.push(value);
  }
  if (figures.length <= most / 2) return null;
  return percentiles(figures);
}

/**
 * Percentile bootstrap interval of the difference of two means, the first minus the second, from 2,000 resamples of each;
 * null where a side has no value. The seed is fixed.
 */
export function differenceOfMeans(first: readonly number[], second: readonly number[]): Interval | null {
  if (first.length === 0 || second.length === 0) return null;
  const random = randomNumbers();
  const drawnMean = (values: readonly number[]): number =>
    values.reduce((sum) => sum + values[Math.floor(random() * values.length)]!, 0) / values.length;
  const differences = Array.from({ length: RESAMPLES }, () => drawnMean(first) - drawnMean(second));
  return percentiles(differences);
}

/** The interval that leaves out 2.5 % of the figures on each side. */
function percentiles(figures: readonly number[]): Interval {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { low: at(0.025), high: at(0.975) };
}

/** Numbers in [0, 1) from a linear congruential generator with the constants of Numerical Recipes. */
function randomNumbers(): () => number {
  let state = SEED;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
