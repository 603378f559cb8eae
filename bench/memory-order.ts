/**
 * `node bench/memory-order.ts [--clones DIR] [--only own|history|planted] [--arms on,code,repairs] [--names A,B] [--seed N]
 * [--part 0|1] [--most N] [--json FILE]`: how much earlier memory puts the known repair in the offline actor's order of trials.
 * Nothing is run: no tests, no batches.
 *
 *   own       the series written for `bench/memory.ts`
 *   history   small fixes in the histories of the repositories in DIR, earlier ones teach later ones; `places`: all places of
 *             each fix, of which the others are repaired; `history`: the first place alone
 *   planted   related bugs planted in the newest code of the repositories in DIR, at places drawn by the seed
 *
 *   on        memory: the habits of code and history, and earlier repairs
 *   code      the habits of the code alone
 *   repairs   the earlier repairs alone
 *
 * In DIR each folder is a clone or bare repository, or has one in `repo`. `--part` takes the repositories whose name has an even
 * (0) or odd (1) first byte of its SHA-1: choose on one part, report on the other. `--most`: fixes of a repository that are
 * looked for, newest first. The lines around the repair are suspicious.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createHabits } from '../src/repair/habits/habits.ts';
import { renderColumns } from './datasets/statistics.ts';
import { decreaseOf, medianDecreaseOf, type Pair } from './memory/figures.ts';
import { clonesIn, repairsIn } from './memory/order/history.ts';
import type { Arm, KnownRepair, PlacedRepair } from './memory/order/known-repair.ts';
import { placeRepairs } from './memory/order/place-repairs.ts';
import { plantedIn } from './memory/order/planted.ts';
import { seriesOf, sourcePath } from './memory/repository.ts';
import { OWN_SEQUENCES } from './memory/sequences/index.ts';

const { values } = parseArgs({
  options: {
    clones: { type: 'string' },
    only: { type: 'string' },
    arms: { type: 'string', default: 'on' },
    names: { type: 'string' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string' },
    most: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});
const arms = values.arms.split(',') as Arm[];
const names = values.names?.split(',');
const clones = (values.clones === undefined ? [] : clonesIn(values.clones)).filter(
  ({ series }) =>
    (values.part === undefined || partOf(series) === Number(values.part)) &&
    (names?.includes(series) ?? true),
);

const SOURCES: Readonly<Record<string, () => Iterable<KnownRepair[]>>> = {
  own: ownSeries,
  history: function* () {
    for (const { series, clone } of clones) yield newestOf(repairsIn(series, clone)).reverse();
  },
  planted: function* () {
    for (const { series, clone } of clones) yield* plantedIn(series, clone, Number(values.seed));
  },
};

const rows = [
  [
    'bugs',
    'memory',
    'compared',
    'with',
    'without',
    'places with',
    'without',
    'earlier',
    '95 % interval',
  ].concat(['median', '95 % interval', 'in 300 with', 'without']),
];
/** As many as `--most` asks for. */
function newestOf(repairs: Iterable<KnownRepair>): KnownRepair[] {
  const newest: KnownRepair[] = [];
  for (const repair of repairs) if (newest.push(repair) >= Number(values.most)) break;
  return newest;
}

const placed: (PlacedRepair & { readonly from: string })[] = [];
if (values.json !== undefined) writeFileSync(values.json, '');
for (const [from, read] of Object.entries(SOURCES)) {
  if (values.only !== undefined && values.only !== from) continue;
  for (const repairs of read()) {
    const found = (await placeRepairs(repairs, arms)).map((one) => ({ ...one, from }));
    placed.push(...found);
    if (values.json !== undefined)
      appendFileSync(values.json, found.map((one) => `${JSON.stringify(one)}\n`).join(''));
    if (found.length > 1)
      console.error(
        `${found[0]!.series}: ${found.map(({ off, places }) => `${off}/${places[arms[0]!] ?? '-'}`).join(' ')}`,
      );
  }
  const own = placed.filter((one) => one.from === from);
  for (const arm of arms) {
    for (const [label, isPart] of [
      [from, false],
      ['parts', true],
    ] as const) {
      const those = own.filter((one) => one.isPart === isPart);
      if (those.length > 0) rows.push(rowOf(label, arm, those));
    }
  }
}
console.log(renderColumns(rows).join('\n'));

function rowOf(label: string, arm: Arm, own: readonly PlacedRepair[]): string[] {
  const pairs = own.map((one) => toPair(one, arm));
  const sum = decreaseOf(pairs);
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const early = (side: 'on' | 'off'): string =>
    String(pairs.filter((pair) => pair[side].verified && pair[side].tried <= 300).length);
  return [
    ...[label, arm, String(pairs.length)],
    ...(['on', 'off'] as const).map((side) => String(pairs.filter((pair) => pair[side].verified).length)),
    ...[String(sum.on), String(sum.off)],
    ...[sum, medianDecreaseOf(pairs)].flatMap(({ decrease, low, high }) => [
      percent(decrease),
      `${percent(low)} to ${percent(high)}`,
    ]),
    ...[early('on'), early('off')],
  ];
}

function toPair({ series, name, off, places }: PlacedRepair, arm: Arm): Pair {
  const outcomeOf = (place: number | undefined) => ({ verified: place !== undefined, tried: place ?? 0 });
  return { series, module: name, on: outcomeOf(places[arm]), off: outcomeOf(off) };
}

function partOf(series: string): number {
  return createHash('sha1').update(series).digest()[0]! % 2;
}

/** The modules of a series are one repository, in which the bugs before one are repaired. */
function ownSeries(): KnownRepair[][] {
  return OWN_SEQUENCES.map(seriesOf).map(({ name, bugs }) =>
    bugs.map(({ module, source, test, reference }, index) => ({
      ...{ series: name, name: module, file: sourcePath(module) },
      ...{ before: source, after: reference!, testFile: `test/${module}.test.js`, testText: test },
      learn: async ({ history }) =>
        createHabits(
          bugs.map((bug, at) => ({
            file: sourcePath(bug.module),
            text: at < index ? bug.reference! : bug.source,
          })),
          history ? bugs.slice(0, index).map((bug) => ({ before: bug.source, after: bug.reference! })) : [],
        ),
    })),
  );
}
