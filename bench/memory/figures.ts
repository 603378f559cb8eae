/** A bug that was tried with and without memory. */
export interface Pair {
  readonly series: string;
  readonly module: string;
  readonly on: Outcome;
  readonly off: Outcome;
}

export interface Outcome {
  readonly verified: boolean;
  readonly tried: number;
}

/** How far a count fell: 0.3 is by 30 %; with a 95 % interval. */
export interface Fall {
  /** Bugs that were verified in both arms; the others have no count until verified. */
  readonly bugs: number;
  readonly off: number;
  readonly on: number;
  /** 1 − candidates with memory ÷ candidates without. NaN without bugs. */
  readonly fall: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 10_000;
const SEED = 20_240_601;

/**
 * The fall of candidates tried until verified, over all bugs of the pairs; its interval by the percentile bootstrap
 * (Efron, 1979) over whole bugs, 10,000 resamples, a fixed seed: the same pairs give the same interval.
 */
export function fallOf(pairs: readonly Pair[]): Fall {
  const both = inBoth(pairs);
  return {
    ...{ bugs: both.length, off: triedIn(both, 'off'), on: triedIn(both, 'on'), fall: shareFallen(both) },
    ...intervalOf(both, shareFallen),
  };
}

/**
 * The median of what each bug's candidates fell by, with the same kind of interval: bugs that take thousands of
 * candidates, or a handful, do not outweigh the others here. Bugs that took none without memory are left out.
 */
export function medianFallOf(pairs: readonly Pair[]): Pick<Fall, 'fall' | 'low' | 'high'> {
  const both = inBoth(pairs).filter(({ off }) => off.tried > 0);
  return { fall: medianFall(both), ...intervalOf(both, medianFall) };
}

function inBoth(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(({ on, off }) => on.verified && off.verified);
}

function intervalOf(
  pairs: readonly Pair[],
  figure: (pairs: readonly Pair[]) => number,
): { low: number; high: number } {
  const random = randomNumbers(SEED);
  const figures = Array.from({ length: pairs.length === 0 ? 0 : RESAMPLES }, () =>
    figure(pairs.map(() => pairs[Math.floor(random() * pairs.length)]!)),
  ).sort((a, b) => a - b);
  const at = (share: number): number =>
    figures[Math.min(figures.length - 1, Math.floor(share * figures.length))] ?? NaN;
  return { low: at(0.025), high: at(0.975) };
}

/** Bugs that were verified in an arm. */
export function verifiedIn(pairs: readonly Pair[], arm: 'on' | 'off'): number {
  return pairs.filter((pair) => pair[arm].verified).length;
}

function shareFallen(pairs: readonly Pair[]): number {
  return 1 - triedIn(pairs, 'on') / triedIn(pairs, 'off');
}

function medianFall(pairs: readonly Pair[]): number {
  const falls = pairs.map(({ on, off }) => 1 - on.tried / off.tried).sort((a, b) => a - b);
  const [low, high] = [falls[Math.ceil(falls.length / 2) - 1], falls[Math.floor(falls.length / 2)]];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}

function triedIn(pairs: readonly Pair[], arm: 'on' | 'off'): number {
  return pairs.reduce((sum, pair) => sum + pair[arm].tried, 0);
}

/** Numbers from 0 to below 1; Mulberry32 (Tommy Ettinger, public domain). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
