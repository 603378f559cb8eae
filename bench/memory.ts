/**
 * `node bench/memory.ts [--data FILE] [--from own|data] [--only NAME] [--jobs N] [--json FILE]`: what memory saves the offline actor.
 *
 * Repositories with related bugs, which are reported by a failing test one after another and repaired by `ralph run`
 * (built: `npm run build`), the repair committed before the next. Once with memory, once without. Counted are the
 * candidates that are tried until the result is verified, and what is verified at all.
 *
 *   FILE   problems of a HumanEvalFix file beside the bugs that were written for this benchmark
 *   NAME   one series alone; --from takes those of one origin alone
 *   N      series at a time (1)
 *
 * Ends with 1 where memory saves less than 30 %, or where less is verified with it than without.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { processItems } from './datasets/pool.ts';
import { renderColumns } from './datasets/statistics.ts';
import { fallOf, medianFallOf, verifiedIn, type Fall, type Pair } from './memory/figures.ts';
import { seriesFrom } from './memory/from-data.ts';
import { seriesOf, type BugSeries } from './memory/repository.ts';
import { runSeries, type Arm, type BugRun } from './memory/run-series.ts';
import { OWN_SEQUENCES } from './memory/sequences/index.ts';

const BAR = 0.3;
const HEAD = [
  'series',
  'bugs',
  'verified on',
  'off',
  'in both',
  'tried on',
  'off',
  'fall',
  '95 % interval',
  'of a bug',
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
console.log(table().join('\n'));
console.log(order());
console.log(choices());
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(pairs, null, 2)}\n`);
const total = fallOf(pairs);
if (!(total.fall >= BAR) || verifiedIn(pairs, 'on') < verifiedIn(pairs, 'off')) process.exitCode = 1;

async function measure(one: BugSeries): Promise<MeasuredPair[]> {
  const run = (arm: Arm): Promise<BugRun[]> => runSeries(one, arm, (bug) => tell(one.name, arm, bug));
  const [off, on] = [await run('off'), await run('on')];
  return one.bugs.map(({ module }, index) => ({
    ...{ series: one.name, from: one.from, module, on: on[index]!, off: off[index]! },
  }));
}

function tell(name: string, arm: Arm, { module, verified, tried, edits }: BugRun): void {
  const found = verified ? edits.join('; ') : 'not verified';
  console.error(`${name}  ${module}  memory ${arm}  ${tried} tried  ${found}`.slice(0, 160));
}

function table(): string[] {
  const bySeries = [...Map.groupBy(pairs, (pair) => pair.series)];
  const from = (where: BugSeries['from']): MeasuredPair[] => pairs.filter((pair) => pair.from === where);
  return renderColumns([
    HEAD,
    ...bySeries.map(([name, own]) => row(name, own)),
    row('written here', from('own')),
    row('from the data', from('data')),
    row('all', pairs),
  ]);
}

function row(name: string, own: readonly MeasuredPair[]): string[] {
  const { bugs, off, on, ...sum } = fallOf(own);
  return [
    ...[name, String(own.length), String(verifiedIn(own, 'on')), String(verifiedIn(own, 'off'))],
    ...[String(bugs), String(on), String(off), ...renderFall(sum), ...renderFall(medianFallOf(own))],
  ];
}

function renderFall({ fall, low, high }: Pick<Fall, 'fall' | 'low' | 'high'>): string[] {
  const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)}%`);
  return [percent(fall), `${percent(low)} to ${percent(high)}`];
}

/** How far up memory brings the right edit, whatever is tried together with it: batches make no difference here. */
function order(): string {
  const placed = pairs.flatMap(({ on, off, ...pair }) =>
    on.place === undefined || off.place === undefined
      ? []
      : [{ ...pair, on: { ...on, tried: on.place }, off: { ...off, tried: off.place } }],
  );
  const { bugs, on, off, ...fall } = fallOf(placed);
  const [share, interval] = renderFall(fall);
  return (
    `Place of the accepted edit in the order of trials, summed over ${bugs} bugs: ${on} with memory, ${off} without; ` +
    `a fall of ${share} (${interval}).`
  );
}

/** Whether what is found sooner is as good: against the known repair, and against what was found without memory. */
function choices(): string {
  const known = pairs.filter(({ off }) => off.exact !== undefined);
  const exact = (arm: Arm): number => known.filter((pair) => pair[arm].exact === true).length;
  const both = pairs.filter(({ on, off }) => on.verified && off.verified);
  const same = both.filter(({ on, off }) => on.edits.join() === off.edits.join()).length;
  return (
    `Repaired to the letter, of ${known.length} whose repair is known: ${exact('on')} with memory, ${exact('off')} without. ` +
    `The same edit in both: ${same} of ${both.length}.`
  );
}
