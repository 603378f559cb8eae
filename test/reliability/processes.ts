import { endChildren, type ChildTrials } from './processes/end-children.ts';
import { takeFloods, type FloodResult } from './processes/floods.ts';
import { endProgram, STOPS } from './processes/program-children.ts';
import type { Row, Suite } from './suite.ts';

const FULL_ROUNDS = 3;
const FULL_BYTES = 5_000_000_000;
const REDUCED_BYTES = 200_000_000;
const MAX_MEMORY_MB = 150;

const CLEARED_ENVIRONMENT =
  'without a sandbox, a child is not found if it clears its environment, starts its own session and outlives its parent';
const CRASH = 'without a sandbox, kill -9 of ralph itself leaves the programs that it started';

/** Children of programs, which must not survive, and programs with unlimited output. */
export const processesSuite: Suite = {
  name: 'processes',
  async run({ full, onProgress }) {
    const rounds = full ? FULL_ROUNDS : 1;
    const stops = Array.from({ length: rounds }, () => STOPS).flat();
    const handledStops = stops.filter((stop) => stop !== 'SIGKILL');
    const bytes = full ? FULL_BYTES : REDUCED_BYTES;
    onProgress('children');
    const rows = [
      childrenRow('no child outlives its program, with the sandbox', await endChildren(rounds, true)),
      childrenRow('no child outlives its program, without a sandbox', await endChildren(rounds, false), [
        CLEARED_ENVIRONMENT,
      ]),
    ];
    onProgress('children of the built program');
    rows.push(
      childrenRow(
        'ralph run interrupted, terminated or killed: no child is left, with the sandbox',
        await endProgram(stops, 'strict'),
      ),
      childrenRow(
        'ralph run interrupted or terminated: no child is left, without a sandbox',
        await endProgram(handledStops, 'off'),
        [CRASH],
      ),
    );
    const floods = [...takeFloods(bytes, true, onProgress), ...takeFloods(bytes, false, onProgress)];
    return [...rows, floodRow(bytes, floods)];
  },
};

function childrenRow(claim: string, { tried, problems }: ChildTrials, known: readonly string[] = []): Row {
  return { claim, tried, held: tried - problems.length, gaps: [...known, ...problems] };
}

function floodRow(bytes: number, floods: readonly FloodResult[]): Row {
  const failed = floods.flatMap((flood) => {
    const isKept = flood.head.startsWith('HEAD') && flood.tail.includes('TAIL') && flood.kept < 100_000;
    const isWhole = flood.exitCode === 0 && flood.seen > 0;
    return isKept && isWhole && flood.peakMb < MAX_MEMORY_MB ? [] : [JSON.stringify(flood)];
  });
  const peak = Math.max(...floods.map(({ peakMb }) => peakMb));
  const claim = `${bytes / 1e9} GB of output: head and tail kept, peak memory ${peak} MB (limit ${MAX_MEMORY_MB} MB)`;
  return { claim, tried: floods.length, held: floods.length - failed.length, gaps: failed };
}
