import type { JournalRecord, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';

type Step = Pick<JournalRecord, 'step' | 'data'>;

/** Results of steps that have a usage; each has at most one of them. */
interface Charged {
  /** Of an attempt. */
  readonly trajectory?: { readonly usage?: Usage };
  /** Of a stored reflection. */
  readonly reflection?: { readonly reflector?: { readonly usage?: Usage } };
  /** Of tests that were written for the task. */
  readonly suite?: { readonly usage?: Usage };
  /** Of a judgement. */
  readonly usage?: Usage;
}

/**
 * Returns a function that is called with the finished steps of one loop in their order, and returns the usage of each: zero
 * for a step that asks no model, and for the steps of older versions that recorded none.
 */
export function createStepMeter(): (record: Step) => Usage {
  let memory = NO_USAGE;
  return (record) => {
    const { data } = record;
    if (typeof data !== 'object' || data === null) return NO_USAGE;
    if (isMemoryStep(record)) {
      if (!('input_tokens' in data)) return NO_USAGE;
      const before = memory;
      memory = data as Usage;
      return difference(memory, before);
    }
    const { trajectory, reflection, suite, usage } = data as Charged;
    return trajectory?.usage ?? reflection?.reflector?.usage ?? suite?.usage ?? usage ?? NO_USAGE;
  };
}

/** True for a step of long-term memory, which records the sum so far. */
export function isMemoryStep({ step }: Step): boolean {
  return /:(?:learn|conclude)$/.test(step);
}

/** True for the step that stores a reflection. */
export function isReflection({ step }: Step): boolean {
  return step.endsWith(':reflect');
}

function difference(sum: Usage, before: Usage): Usage {
  return {
    input_tokens: sum.input_tokens - before.input_tokens,
    output_tokens: sum.output_tokens - before.output_tokens,
    cached_input_tokens: sum.cached_input_tokens - before.cached_input_tokens,
    cost_usd: sum.cost_usd === null || before.cost_usd === null ? null : sum.cost_usd - before.cost_usd,
  };
}
