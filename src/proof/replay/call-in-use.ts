/** Results by the positions of calls. */
type Results = readonly (readonly [number, string])[];

/** Calls of the program in use, and built-ins as they were before the code was loaded. */
export interface Use {
  /** Makes all calls once. */
  readonly round: () => Promise<Results>;
  /** Results of asynchronous functions of which several calls are in flight. */
  readonly together: () => Promise<ReadonlyMap<number, string>>;
  /** Makes calls with other arguments. */
  readonly fill: () => Promise<void>;
  /** From now on, objects are read at once, or some time later. */
  readonly lookLater: (isLater: boolean) => void;
  /** Keeps results in case that the program does not end. */
  readonly keep: (found: Results) => void;
  readonly nowMs: () => number;
  readonly wait: typeof setTimeout;
}

/**
 * Results of calls once the code is in use: those of the last two rounds where these agree, or of calls that differ while others
 * are in flight, after many other calls, or by chance. Its source text runs in another process, so it must not refer to
 * anything outside of its body.
 */
export async function callInUse(use: Use): Promise<Results> {
  const { round, together, fill, lookLater, keep, nowMs, wait } = use;
  /** A result that comes by chance: not the first one, and in few of many rounds. */
  const rareOf = (counts: ReadonlyMap<string, number> | undefined, rounds: number): string | undefined =>
    rounds < 50 ? undefined : [...(counts ?? [])].find(([, count], at) => at > 0 && count < rounds / 5)?.[0];

  // Rounds in one go, at most so many and for so long; then a pause and two more, in which timers have run.
  const until = nowMs() + 600;
  const seen = new Map<number, Map<string, number>>();
  let rounds = 0;
  for (; rounds < 500 && nowMs() < until; rounds++)
    for (const [at, result] of await round()) {
      const own = seen.get(at) ?? new Map<string, number>();
      seen.set(at, own.set(result, (own.get(result) ?? 0) + 1));
    }
  await new Promise((done) => wait(done, 250));
  lookLater(true);
  const last = new Map(await round());
  const settled = (await round()).filter(([at, result]) => last.get(at) === result);
  const found = settled.map(([at, result]) => [at, rareOf(seen.get(at), rounds) ?? result] as const);
  keep(found);

  lookLater(false);
  const before = new Map(await round());
  const flying = await together();
  await fill();
  const after = new Map(await round());
  const otherOf = (at: number): string | undefined => {
    const was = before.get(at);
    if (was === undefined) return undefined;
    return [flying.get(at), after.get(at)].find((it) => it !== undefined && it !== was);
  };
  return found.map(([at, result]) => [at, otherOf(at) ?? result] as const);
}
