/**
 * `node bench/memory.ts [--data FILE] [--from own|data] [--only NAME] [--jobs N] [--json FILE]`: measures how many trials
 * memory saves the offline actor.
 *
 * Each series is a repository with related bugs. Their failing tests are added one after another; `ralph run` (built:
 * `npm run build`) repairs each bug, and the repair is committed before the next test. Every series runs twice, with and
 * without memory. Compared are the number of candidates tried until verified, and the number of verified repairs.
 *
 *   --data FILE   also use the problems of a HumanEvalFix file
 *   --from        only the series written for this benchmark (own), or only those of the file (data)
 *   --only NAME   only one series
 *   --jobs N      number of series that run at the same time (default 1)
 *
 * Exits with 1 if memory saves less than 30 %, or if fewer repairs are verified with memory than without.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { plural } from '../src/platform/text/plural.ts';
import { processItems } from './datasets/pool.ts';
import { renderColumns } from './datasets/statistics.ts';
import { decreaseOf, medianDecreaseOf, verifiedIn, type Decrease, type Pair } from './memory/figures.ts';
import { seriesFrom } from './memory/from-data.ts';
import { seriesOf, type BugSeries } from './memory/repository.ts';
import { runSeries, type Arm, type BugRun } from './memory/run-series.ts';
import { OWN_SEQUENCES } from './memory/sequences/index.ts';

const TARGET = 0.3;
const HEAD = [
  'series',
  'bugs',
  'verified with',
  'without',
  'in both',
  'tried with',
  'without',
  'decrease',
  '95 % interval',
  'median',
  '95 % interval',
];

type MeasuredPair = Pair & { readonly from: BugSeries['from']; readonly on: BugRun; readonly off: BugRun };

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    from: { type: 'string' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const series = [
  ...OWN_SEQUENCES.map(seriesOf),
  ...(values.data === undefined ? [] : await seriesFrom(values.data)),
].filter(
  ({ name, from }) =>
    (values.only === undefined || name === values.only) &&
    (values.from === undefined || from === values.from),
);

const { signal } = new AbortController();
const measured = await processItems(series, measure, {
  jobs: Number(values.jobs),
  signal,
  onResult: () => {},
});
const pairs = measured.flat();
console.log(renderTable().join('\n'));
console.log(renderPlaces());
console.log(renderRepairs());
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(pairs, null, 2)}\n`);
const { decrease } = decreaseOf(pairs);
if (!(decrease >= TARGET) || verifiedIn(pairs, 'on') < verifiedIn(pairs, 'off')) process.exitCode = 1;

async function measure(one: BugSeries): Promise<MeasuredPair[]> {
  const run = (arm: Arm): Promise<BugRun[]> => runSeries(one, arm, (bug) => printRun(one.name, arm, bug));
  const [off, on] = [await run('off'), await run('on')];
  return one.bugs.map(({ module }, index) => ({
    series: one.name,
    from: one.from,
    module,
    on: on[index]!,
    off: off[index]!,
  }));
}

function printRun(name: string, arm: Arm, { module, verified, tried, edits }: BugRun): void {
  const result = verified ? edits.join('; ') : 'not verified';
  console.error(`${name}  ${module}  memory ${arm}  ${tried} tried  ${result}`.slice(0, 160));
}

function renderTable(): string[] {
  const bySeries = [...Map.groupBy(pairs, (pair) => pair.series)];
  const from = (origin: BugSeries['from']): MeasuredPair[] => pairs.filter((pair) => pair.from === origin);
  return renderColumns([
    HEAD,
    ...bySeries.map(([name, own]) => renderRow(name, own)),
    renderRow('written here', from('own')),
    renderRow('from the data', from('data')),
    renderRow('all', pairs),
  ]);
}

function renderRow(name: string, selected: readonly MeasuredPair[]): string[] {
  const { bugs, off, on, ...ofSum } = decreaseOf(selected);
  return [
    name,
    String(selected.length),
    String(verifiedIn(selected, 'on')),
    String(verifiedIn(selected, 'off')),
    String(bugs),
    String(on),
    String(off),
    ...renderDecrease(ofSum),
    ...renderDecrease(medianDecreaseOf(selected)),
  ];
}

function renderDecrease({ decrease, low, high }: Pick<Decrease, 'decrease' | 'low' | 'high'>): string[] {
  const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}%`);
  return [percent(decrease), `${percent(low)} to ${percent(high)}`];
}

/** The position of the accepted edit in the order of trials does not depend on the size of batches, as the count does. */
function renderPlaces(): string {
  const placed = pairs.flatMap(({ on, off, ...pair }) =>
    on.place === undefined || off.place === undefined
      ? []
      : [{ ...pair, on: { ...on, tried: on.place }, off: { ...off, tried: off.place } }],
  );
  const { bugs, on, off, ...ofSum } = decreaseOf(placed);
  const [share, interval] = renderDecrease(ofSum);
  return (
    `Sum of the positions of the accepted edits in the order of trials, ${plural(bugs, 'bug')}: ${on} with memory, ` +
    `${off} without; a decrease of ${share} (${interval}).`
  );
}

/** Quality of the repairs: compared with the known repair, and with the one found without memory. */
function renderRepairs(): string {
  const known = pairs.filter(({ off }) => off.exact !== undefined);
  const exact = (arm: Arm): number => known.filter((pair) => pair[arm].exact === true).length;
  const both = pairs.filter(({ on, off }) => on.verified && off.verified);
  const same = both.filter(({ on, off }) => on.edits.join() === off.edits.join()).length;
  return (
    `Repairs equal to the known one, of ${known.length}: ${exact('on')} with memory, ${exact('off')} without. ` +
    `The same edit in both: ${same} of ${both.length}.`
  );
}
