/**
 * `node bench/memory-order.ts [--clones DIR] [--only own|history|planted] [--seed N] [--part 0|1] [--json FILE]`: how much
 * earlier memory puts the known repair in the offline actor's order of trials. Nothing is run: no tests, no batches.
 *
 *   own       the series written for `bench/memory.ts`
 *   history   small fixes in the histories of the repositories in DIR, earlier ones teach later ones
 *   planted   related bugs planted in the newest code of the repositories in DIR, at places drawn by the seed
 *
 * In DIR each folder is a clone or bare repository, or has one in `repo`. `--part` takes every second repository: choose on one
 * part, report on the other. Compared are bugs with at least one earlier repair; the lines around the repair are suspicious.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { renderColumns } from './datasets/statistics.ts';
import { decreaseOf, medianDecreaseOf, type Pair } from './memory/figures.ts';
import { clonesIn, repairsIn } from './memory/order/history.ts';
import type { KnownRepair, PlacedRepair } from './memory/order/known-repair.ts';
import { placeRepairs } from './memory/order/place-repairs.ts';
import { plantedIn } from './memory/order/planted.ts';
import { seriesOf, sourcePath } from './memory/repository.ts';
import { OWN_SEQUENCES } from './memory/sequences/index.ts';

const { values } = parseArgs({
  options: {
    clones: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string' },
    json: { type: 'string' },
  },
});
const clones = (values.clones === undefined ? [] : clonesIn(values.clones)).filter(
  (_, index) => values.part === undefined || index % 2 === Number(values.part),
);

const SOURCES: Readonly<Record<string, () => Iterable<KnownRepair[]>>> = {
  own: ownSeries,
  history: () => clones.map(({ series, clone }) => [...repairsIn(series, clone)].slice(-MOST_FIXES)),
  planted: () => clones.flatMap(({ series, clone }) => plantedIn(series, clone, Number(values.seed))),
};
const MOST_FIXES = 40;

const rows = [
  [
    'bugs from',
    'repairs proposed',
    'compared',
    'found with',
    'without',
    'places with',
    'without',
    'earlier',
    '95 % interval',
    'median',
    '95 % interval',
  ],
];
const placed: (PlacedRepair & { readonly from: string })[] = [];
for (const [from, read] of Object.entries(SOURCES)) {
  if (values.only !== undefined && values.only !== from) continue;
  for (const repairs of read()) {
    const found = await placeRepairs(repairs);
    placed.push(...found.map((one) => ({ ...one, from })));
    if (found.length > 1)
      console.error(`${found[0]!.series}: ${found.map(({ off, on }) => `${off}/${on ?? '-'}`).join(' ')}`);
  }
  rows.push(rowOf(from));
}
console.log(renderColumns(rows).join('\n'));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(placed, null, 2)}\n`);

function rowOf(from: string): string[] {
  const own = placed.filter((one) => one.from === from);
  const pairs = own.filter(({ known }) => known > 0).map(toPair);
  const sum = decreaseOf(pairs);
  const median = medianDecreaseOf(pairs);
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  return [
    ...[from, String(own.length), String(pairs.length)],
    ...(['on', 'off'] as const).map((arm) => String(pairs.filter((pair) => pair[arm].verified).length)),
    ...[String(sum.on), String(sum.off)],
    ...[sum, median].flatMap(({ decrease, low, high }) => [
      percent(decrease),
      `${percent(low)} to ${percent(high)}`,
    ]),
  ];
}

function toPair({ series, name, on, off }: PlacedRepair): Pair {
  const outcomeOf = (place: number | undefined) => ({ verified: place !== undefined, tried: place ?? 0 });
  return { series, module: name, on: outcomeOf(on), off: outcomeOf(off) };
}

function ownSeries(): KnownRepair[][] {
  return OWN_SEQUENCES.map(seriesOf).map(({ name, bugs }) =>
    bugs.map(({ module, source, test, reference }) => ({
      ...{ series: name, name: module, file: sourcePath(module) },
      ...{ before: source, after: reference!, testFile: `test/${module}.test.js`, testText: test },
    })),
  );
}
