/**
 * `npm run reliability [-- --full] [-- --seed=N] [-- NAME…]`: tries the claims about tampering, the sandbox, processes,
 * durability, repositories, evaluators, untrusted text, kills at random moments and senseless input, and prints how many
 * trials of each claim held. `--full` makes
 * all trials. `--seed` chooses the attacks that are drawn at random; by default the number of today since 1970, so that
 * each day has attacks of its own. Exits with 1 if a trial failed, with 2 if a NAME or an option is wrong.
 */
import { chmodSync } from 'node:fs';
import { makeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import { plural } from '../../src/platform/text/plural.ts';
import type { Row, Suite } from './suite.ts';
import { SUITES } from './suites.ts';

const args = process.argv.slice(2);
const full = args.includes('--full');
const SEED = /^--seed=(\d{1,9})$/;
const asked = args.map((arg) => SEED.exec(arg)?.[1]).find((digits) => digits !== undefined);
const seed = asked === undefined ? Math.floor(Date.now() / 86_400_000) : Number(asked);
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = [
  ...names.filter((name) => !(name in SUITES)),
  ...args.filter((arg) => arg.startsWith('--') && arg !== '--full' && !SEED.test(arg)),
];
if (unknown.length > 0) {
  const known = Object.keys(SUITES).join(', ');
  console.error(
    `Unknown: ${unknown.join(', ')}. The parts are ${known}; the options are --full and --seed=NUMBER.`,
  );
  process.exitCode = 2;
} else {
  // Trials that are killed leave folders behind. Some trials run as another user, who must reach theirs.
  const folder = makeTemporaryFolder('reliability');
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  await runAll(names.length === 0 ? Object.keys(SUITES) : names);
}

async function runAll(selected: readonly string[]): Promise<void> {
  const started = performance.now();
  const tables: [string, readonly Row[]][] = [];
  for (const name of selected) {
    const suite: Suite = await SUITES[name]!();
    const onProgress = (text: string): void => void process.stderr.write(`${name}: ${text}\n`);
    tables.push([name, await suite.run({ full, seed, onProgress })]);
  }
  const rows = tables.flatMap(([, list]) => list);
  const width = Math.max(5, ...rows.map(({ claim }) => claim.length));
  console.log(`\n${'claim'.padEnd(width)}  ${'tried'.padStart(7)}  ${'held'.padStart(7)}`);
  for (const [name, list] of tables) {
    console.log(`\n${name}`);
    for (const row of list) {
      console.log(renderRow(row, width));
      for (const gap of row.gaps) console.log(`    gap: ${gap}`);
    }
  }
  const [tried, held] = [sum(rows.map((row) => row.tried)), sum(rows.map((row) => row.held))];
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const selection = full ? 'all trials' : 'a selection of the trials';
  console.log(`\n${held} of ${plural(tried, 'trial')} held (${selection}, ${minutes} min)`);
  if (held < tried) process.exitCode = 1;
}

function renderRow({ claim, tried, held }: Row, width: number): string {
  const mark = held < tried ? '  ✗' : '';
  return `${claim.padEnd(width)}  ${String(tried).padStart(7)}  ${String(held).padStart(7)}${mark}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
