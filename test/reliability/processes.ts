import { endChildren, type Ended } from './processes/end-children.ts';
import { takeFloods, type Flooded } from './processes/floods.ts';
import { endProgram, STOPS } from './processes/program-children.ts';
import type { Row, Suite } from './suite.ts';

const FULL_ROUNDS = 3;
const FULL_BYTES = 5_000_000_000;
const REDUCED_BYTES = 200_000_000;
const MOST_MB = 150;

const BEST_EFFORT =
  'without a sandbox, a child that clears its environment in a session of its own and outlives its parent is not found';
const CRASH = 'without a sandbox, kill -9 of ralph itself leaves what it had started';

/** What programs leave behind, and what their output takes. */
export const processesSuite: Suite = {
  name: 'processes',
  async run({ full, onProgress }) {
    const rows: Row[] = [];
    const rounds = full ? FULL_ROUNDS : 1;
    onProgress('children');
    rows.push(endedRow('no child outlives its program, in the sandbox', await endChildren(rounds, true)));
    rows.push(
      endedRow('no child outlives its program, without one', await endChildren(rounds, false), [BEST_EFFORT]),
    );
    onProgress('children of the built program');
    const repeated = Array.from({ length: rounds }, () => STOPS).flat();
    rows.push(
      endedRow(
        'ralph run stopped, ended or killed: no child is left, in the sandbox',
        await endProgram(repeated, 'strict'),
      ),
    );
    const soft = repeated.filter((stop) => stop !== 'SIGKILL');
    rows.push(
      endedRow('ralph run stopped or ended: no child is left, without one', await endProgram(soft, 'off'), [
        CRASH,
      ]),
    );
    const bytes = full ? FULL_BYTES : REDUCED_BYTES;
    const floods = [...takeFloods(bytes, true, onProgress), ...takeFloods(bytes, false, onProgress)];
    rows.push(floodRow(bytes, floods));
    return rows;
  },
};

function endedRow(what: string, { tried, problems }: Ended, known: readonly string[] = []): Row {
  return { what, tried, held: tried - problems.length, gaps: [...known, ...problems] };
}

function floodRow(bytes: number, floods: readonly Flooded[]): Row {
  const bad = floods.flatMap((flood) => {
    const isKept = flood.head.startsWith('HEAD') && flood.tail.includes('TAIL') && flood.kept < 100_000;
    const isWhole = flood.exitCode === 0 && flood.seen > 0;
    return isKept && isWhole && flood.peakMb < MOST_MB ? [] : [JSON.stringify(flood)];
  });
  const peak = Math.max(...floods.map(({ peakMb }) => peakMb));
  const what = `${bytes / 1e9} GB of output: head and tail kept, at most ${peak} of ${MOST_MB} MB of memory`;
  return { what, tried: floods.length, held: floods.length - bad.length, gaps: bad };
}
