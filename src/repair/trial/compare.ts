/** Loaded in the test process: how candidates behave on inputs that no test has. */
import { runInThisContext } from 'node:vm';
import type { DocExample } from '../syntax/doc-examples.ts';
import { createRandom, plainCopy, similarTo, type Random } from './similar-values.ts';
import type { Outcome, Stage } from './run-test.ts';
import type { Limits } from './meter.ts';
import { runOnce } from './series.ts';
import { CHANGED, textOfValue } from '../syntax/value-text.ts';

interface CapturedCall {
  readonly site: string;
  readonly callee: (...args: unknown[]) => unknown;
  readonly self: unknown;
  readonly args: readonly unknown[];
}

export interface ExampleCount {
  readonly id: number;
  readonly kept: number;
  readonly tried: number;
}

const MAX_CALLS_PER_SITE = 12;
const INPUTS_PER_SITE = 24;
const LIMITS: Limits = { limitMs: 100, maxRounds: 20_000 };

/** Gathers calls of suspected functions while tests run, and replays such calls under every candidate. */
export class Comparison {
  readonly #stage: Stage;
  readonly #calls = new Map<string, CapturedCall[]>();
  #isListening = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    stage.realm.__ralphEnter = (site, callee, self, args) => {
      if (this.#isListening && typeof callee === 'function') {
        this.#capture({ site, callee: callee as CapturedCall['callee'], self, args });
      }
    };
  }

  /** Takes down the calls of what runs meanwhile. */
  async listen<T>(run: () => Promise<T>): Promise<T> {
    this.#isListening = true;
    try {
      return await run();
    } finally {
      this.#isListening = false;
    }
  }

  /** What each candidate, and the unchanged code, does on the same inputs; then forgets the calls. */
  async behaviours(ids: readonly number[], seed: number): Promise<Map<number, string[]>> {
    const random = createRandom(seed);
    const inputs = [...this.#calls.values()].flatMap((calls) => inputsLike(calls, random));
    this.#calls.clear();
    const behaviours = new Map<number, string[]>();
    for (const id of [0, ...ids]) {
      const outputs: string[] = [];
      for (const input of inputs) outputs.push(await this.#outputOf(id, input));
      behaviours.set(id, outputs);
    }
    return behaviours;
  }

  /** How many examples each keeps to, of those whose function was seen in the calls since the last comparison. */
  async kept(ids: readonly number[], examples: readonly DocExample[]): Promise<ExampleCount[]> {
    const seen = new Map([...this.#calls.values()].flat().map((call) => [nameOf(call.site), call]));
    const known = examples.flatMap(({ name, args, result }) => {
      const call = seen.get(name);
      const wanted = { args: valueOf(`[${args}]`) as unknown[], result: valueOf(result) };
      return call === undefined ? [] : [{ call: { ...call, args: wanted.args }, result: wanted.result }];
    });
    const counts: ExampleCount[] = [];
    for (const id of known.length === 0 ? [] : [0, ...ids]) {
      let kept = 0;
      for (const { call, result } of known) {
        const own = (plainCopy(call.args)?.copy ?? []) as unknown[];
        const outcome = await this.#run(id, () => call.callee.apply(call.self, own));
        if (outcome.passed && textOfValue(outcome.value) === textOfValue(result)) kept++;
      }
      counts.push({ id, kept, tried: known.length });
    }
    return counts;
  }

  #capture(call: CapturedCall): void {
    const known = this.#calls.get(call.site) ?? [];
    if (known.length >= MAX_CALLS_PER_SITE) return;
    const copied = plainCopy(call.args);
    const isNew =
      copied !== undefined && !known.some(({ args }) => textOfValue(args) === textOfValue(copied.copy));
    if (isNew) this.#calls.set(call.site, [...known, { ...call, args: copied.copy as unknown[] }]);
  }

  async #outputOf(id: number, { callee, self, args }: CapturedCall): Promise<string> {
    const own = (plainCopy(args)?.copy ?? []) as unknown[];
    const outcome = await this.#run(id, () => callee.apply(self, own));
    const after = textOfValue(own);
    return after === textOfValue(args) ? resultOf(outcome) : `${resultOf(outcome)}${CHANGED}${after}`;
  }

  #run(id: number, main: () => unknown): Promise<Outcome> {
    return runOnce(this.#stage, { id, course: { before: [], main, after: [] } }, LIMITS);
  }
}

/** Of a site `file:name`. */
function nameOf(site: string): string {
  return site.slice(site.lastIndexOf(':') + 1);
}

/** The value of a literal; only such texts are handed over. */
function valueOf(literal: string): unknown {
  return runInThisContext(`(${literal})`);
}

function inputsLike(calls: readonly CapturedCall[], random: Random): CapturedCall[] {
  const width = Math.max(...calls.map(({ args }) => args.length));
  if (width === 0) return [...calls];
  const made = Array.from({ length: INPUTS_PER_SITE }, (_, index) => {
    const model = calls[index % calls.length]!;
    // Changing one argument at a time keeps most calls within what the function is meant for.
    const changed = Math.floor(random() * model.args.length);
    const args = model.args.map((value, at) =>
      at === changed || random() < 0.3 ? similarTo(seenAt(calls, at), random) : value,
    );
    return { ...model, args };
  });
  return [...calls, ...made];
}

function seenAt(calls: readonly CapturedCall[], at: number): unknown[] {
  return calls.filter(({ args }) => at < args.length).map(({ args }) => args[at]);
}

function resultOf({ passed, value, error, timedOut }: Outcome): string {
  if (timedOut) return 'never ends';
  if (passed) return textOfValue(value);
  return `throws ${String((error as { name?: unknown } | null)?.name)}`;
}
