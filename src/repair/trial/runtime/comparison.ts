/** Loaded into the test process: the behaviour of candidates on inputs that no test has. */
import { runInThisContext } from 'node:vm';
import type { DocExample } from '../../syntax/doc-examples.ts';
import { CHANGED, textOfValue } from '../../syntax/value-text.ts';
import type { Limits } from './meter.ts';
import { runOnce } from './series.ts';
import { createRandom, plainCopy, similarTo, type Random } from './similar-values.ts';
import type { Outcome, Stage } from './test-run.ts';

interface CapturedCall {
  /** `file:name` of the function. */
  readonly site: string;
  readonly callee: (...args: unknown[]) => unknown;
  readonly self: unknown;
  readonly args: readonly unknown[];
}

/** The calls that were compared, and their results. */
export interface ComparedCalls {
  /** `name(arguments)` of each call. */
  readonly inputs: readonly string[];
  /** Results in the order of the inputs, by candidate. */
  readonly outputs: ReadonlyMap<number, readonly string[]>;
}

/** Number of examples in comments that hold for one candidate. */
export interface ExampleCount {
  /** Number of the candidate; 0 for the unchanged code. */
  readonly id: number;
  readonly kept: number;
  readonly tried: number;
}

const MAX_CALLS_PER_SITE = 12;
const INPUTS_PER_SITE = 24;
const LIMITS: Limits = { limitMs: 100, maxRounds: 20_000 };

/** Captures calls of suspected functions while tests run, and repeats them with the same and similar arguments under every candidate. */
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

  /** Captures calls while `run` is pending. */
  async listen<T>(run: () => Promise<T>): Promise<T> {
    this.#isListening = true;
    try {
      return await run();
    } finally {
      this.#isListening = false;
    }
  }

  /**
   * Results of the unchanged code (id 0) and of each candidate on the same inputs, by id. Forgets the captured calls. The
   * same seed gives the same inputs.
   */
  async behaviours(ids: readonly number[], seed: number): Promise<ComparedCalls> {
    const random = createRandom(seed);
    const inputs = [...this.#calls.values()].flatMap((calls) => inputsLike(calls, random));
    this.#calls.clear();
    const outputs = new Map<number, string[]>();
    for (const id of [0, ...ids]) {
      const own: string[] = [];
      for (const input of inputs) own.push(await this.#outputOf(id, input));
      outputs.set(id, own);
    }
    return { inputs: inputs.map(textOfCall), outputs };
  }

  /** Counts the examples that hold for the unchanged code (id 0) and for each candidate, of those whose function was called since the last comparison. */
  async countExamples(ids: readonly number[], examples: readonly DocExample[]): Promise<ExampleCount[]> {
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

function textOfCall({ site, args }: CapturedCall): string {
  return `${nameOf(site)}(${textOfValue(args).slice(1, -1)})`;
}

/** The name in a site `file:name`. */
function nameOf(site: string): string {
  return site.slice(site.lastIndexOf(':') + 1);
}

/** The value of a literal. `docExamples` admits only literals, so no other code is evaluated. */
function valueOf(literal: string): unknown {
  return runInThisContext(`(${literal})`);
}

function inputsLike(calls: readonly CapturedCall[], random: Random): CapturedCall[] {
  const width = Math.max(...calls.map(({ args }) => args.length));
  if (width === 0) return [...calls];
  const made = Array.from({ length: INPUTS_PER_SITE }, (_, index) => {
    const model = calls[index % calls.length]!;
    // With one argument changed at a time most calls stay valid for the function.
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
