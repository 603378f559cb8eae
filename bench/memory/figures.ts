/** Outcomes of one bug with memory (`on`) and without (`off`). */
export interface Pair {
  readonly series: string;
  readonly module: string;
  readonly on: Outcome;
  readonly off: Outcome;
}

export interface Outcome {
  readonly verified: boolean;
  /** Number of candidates tried. */
  readonly tried: number;
}

/** Relative decrease of the candidates tried due to memory, with a 95 % interval; 0.3 is 30 % fewer. */
export interface Decrease {
  /** Number of bugs verified in both arms; only these are compared. */
  readonly bugs: number;
  /** Candidates tried for these bugs without memory. */
  readonly off: number;
  /** Candidates tried for these bugs with memory. */
  readonly on: number;
  /** `1 - on / off`; NaN without bugs. */
  readonly decrease: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 10_000;
const SEED = 20_240_601;

/**
 * The decrease of the sum of candidates tried. Its interval is a percentile bootstrap (Efron, 1979) over bugs with 10,000
 * resamples and a fixed seed, so that the same pairs give the same interval.
 */
export function decreaseOf(pairs: readonly Pair[]): Decrease {
  const both = verifiedInBoth(pairs);
  return {
    bugs: both.length,
    off: triedIn(both, 'off'),
    on: triedIn(both, 'on'),
    decrease: decreaseOfSum(both),
    ...intervalOf(both, decreaseOfSum),
  };
}

/**
 * The median of the decrease for each bug, with the same kind of interval: every bug has the same weight, however many
 * candidates it takes. Bugs without candidates in the arm without memory are left out.
 */
export function medianDecreaseOf(pairs: readonly Pair[]): Pick<Decrease, 'decrease' | 'low' | 'high'> {
  const both = verifiedInBoth(pairs).filter(({ off }) => off.tried > 0);
  return { decrease: medianDecrease(both), ...intervalOf(both, medianDecrease) };
}

function verifiedInBoth(pairs: readonly Pair[]): Pair[] {
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

/** Number of bugs verified in an arm. */
export function verifiedIn(pairs: readonly Pair[], arm: 'on' | 'off'): number {
  return pairs.filter((pair) => pair[arm].verified).length;
}

function decreaseOfSum(pairs: readonly Pair[]): number {
  return 1 - triedIn(pairs, 'on') / triedIn(pairs, 'off');
}

function medianDecrease(pairs: readonly Pair[]): number {
  const decreases = pairs.map(({ on, off }) => 1 - on.tried / off.tried).sort((a, b) => a - b);
  const [low, high] = [
    decreases[Math.ceil(decreases.length / 2) - 1],
    decreases[Math.floor(decreases.length / 2)],
  ];
  return ((low ?? NaN) + (high ?? NaN)) / 2;
}

function triedIn(pairs: readonly Pair[], arm: 'on' | 'off'): number {
  return pairs.reduce((sum, pair) => sum + pair[arm].tried, 0);
}

/** A generator of numbers from 0 to below 1: Mulberry32 (Tommy Ettinger, public domain). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
