import type { RunEvent } from '../events.ts';
import type { Usage } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import type { LoopRun } from './loop-run.ts';

/** Usage of the model calls among the events of an attempt that is running. */
export class CallMeter {
  #usage: Usage = NO_USAGE;

  get usage(): Usage {
    return this.#usage;
  }

  on(event: RunEvent): void {
    if (event.type === 'model_called') this.#usage = sumUsage([this.#usage, event.usage]);
  }
}

/** Notes what an attempt has cost that was cut off and will be made again, for this loop and those that resume it. */
export async function noteCutAttempt(loop: LoopRun, iteration: number, usage: Usage): Promise<void> {
  if (usage.input_tokens + usage.output_tokens === 0) return;
  const { store } = loop.ports;
  let number = 1;
  while (store.has(stepOf(iteration, number))) number++;
  loop.spending.addUsage(usage);
  await store.step(stepOf(iteration, number), () => Promise.resolve({ usage }));
}

/** Adds the cost of attempts that were cut off before the loop was resumed. */
export async function addCutAttempts({ ports, spending }: LoopRun, iteration: number): Promise<void> {
  const { store } = ports;
  for (let number = 1; store.has(stepOf(iteration, number)); number++) {
    const { usage } = await store.step(stepOf(iteration, number), () => Promise.resolve({ usage: NO_USAGE }));
    spending.addUsage(usage);
  }
}

function stepOf(iteration: number, number: number): string {
  return `${iteration}:cut:${number}`;
}
