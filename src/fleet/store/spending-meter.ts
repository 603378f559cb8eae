import { createStepMeter } from '../../compose/loop/step-usage.ts';
import { RALPH_PATHS } from '../../platform/ralph-folder.ts';
import { unsealLine } from '../../platform/files/sealed.ts';
import type { JournalRecord, Usage } from '../../schema/generated.ts';
import { amountOf, most, NOTHING, sum, type Amount } from '../queue/amount.ts';

/** What a loop has spent by what its journal and its log of model calls say. */
export interface SpendingMeter {
  /** Reads what a file of the loop has from a byte on: 0 for all of it. What was read before and other files are ignored. */
  read(file: { readonly path: string; readonly from: number; readonly content: Buffer }): void;
  readonly total: Amount;
}

/**
 * Creates the meter of a loop that has spent nothing. A step counts what its record in the journal says, or the calls that were
 * answered while it ran if they are more: it may not have ended, or was begun a second time.
 */
export function createSpendingMeter(loopId: string): SpendingMeter {
  const files = {
    [RALPH_PATHS.journal(loopId)]: createSteps(),
    [RALPH_PATHS.modelCalls(loopId)]: createCalls(),
  };
  return {
    read({ path, from, content }) {
      const file = files[path];
      if (file === undefined) return;
      if (from === 0) file.forget();
      const text = Buffer.concat([file.rest, content.subarray(file.bytes - from)]);
      const end = text.lastIndexOf(0x0a) + 1;
      file.bytes = Math.max(file.bytes, from + content.length);
      file.rest = text.subarray(end);
      const lines = text.toString('utf8', 0, end).split('\n').slice(0, -1);
      for (const line of lines) file.add(unsealLine(line));
    },
    get total() {
      const byStep = new Map<number, Amount>();
      for (const { spent } of Object.values(files))
        for (const [step, amount] of spent) byStep.set(step, most(byStep.get(step) ?? NOTHING, amount));
      return [...byStep.values()].reduce(sum, NOTHING);
    },
  };
}

interface CountedFile {
  /** Number of bytes that were read, and those after the last complete line. */
  bytes: number;
  rest: Buffer;
  /** By the number of the step, 0-based. */
  readonly spent: Map<number, Amount>;
  forget(): void;
  add(line: ReturnType<typeof unsealLine>): void;
}

/** A file of lines; `begin` returns what each line from the first one on adds to the steps. */
function createFile(begin: (spent: Map<number, Amount>) => CountedFile['add']): CountedFile {
  const spent = new Map<number, Amount>();
  let add = begin(spent);
  return {
    bytes: 0,
    rest: Buffer.of(),
    spent,
    forget() {
      this.bytes = 0;
      this.rest = Buffer.of();
      spent.clear();
      add = begin(spent);
    },
    add: (line) => add(line),
  };
}

function createSteps(): CountedFile {
  return createFile((spent) => {
    const meter = createStepMeter();
    return (line) =>
      void spent.set(spent.size, line.ok ? amountOf(meter(line.value as JournalRecord)) : NOTHING);
  });
}

interface LoggedCall {
  readonly taken?: Usage;
  readonly finished_steps?: number;
}

function createCalls(): CountedFile {
  return createFile((spent) => (line) => {
    const { taken, finished_steps: step } = (line.ok ? line.value : {}) as LoggedCall;
    // The header of the file has neither.
    if (taken === undefined || step === undefined) return;
    spent.set(step, sum(spent.get(step) ?? NOTHING, amountOf(taken)));
  });
}
