/**
 * `npm run reliability [-- --full] [-- NAME…]`: tries every claim about tampering, the sandbox, processes, durability,
 * repositories and untrusted text, and prints what was tried and what held. Ends with 1 where something did not hold
 * that is not declared as a gap.
 */
import type { Row, Suite } from './suite.ts';
import { SUITES } from './suites.ts';

const args = process.argv.slice(2);
const full = args.includes('--full');
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = [
  ...names.filter((name) => !(name in SUITES)),
  ...args.filter((arg) => arg.startsWith('--') && arg !== '--full'),
];
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}. Known: ${Object.keys(SUITES).join(', ')}; and --full.`,
  );
  process.exitCode = 2;
} else {
  await runAll(names.length === 0 ? Object.keys(SUITES) : names);
}

async function runAll(chosen: readonly string[]): Promise<void> {
  const started = performance.now();
  const tables: [string, readonly Row[]][] = [];
  for (const name of chosen) {
    const suite: Suite = await SUITES[name]!();
    const onProgress = (text: string): void => void process.stderr.write(`${name}: ${text}\n`);
    tables.push([name, await suite.run({ full, onProgress })]);
  }
  const rows = tables.flatMap(([, list]) => list);
  const width = Math.max(4, ...rows.map(({ what }) => what.length));
  console.log(`\n${'what'.padEnd(width)}  ${'tried'.padStart(7)}  ${'held'.padStart(7)}`);
  for (const [name, list] of tables) {
    console.log(`\n${name}`);
    for (const { what, tried, held, gaps } of list) {
      console.log(
        `${what.padEnd(width)}  ${String(tried).padStart(7)}  ${String(held).padStart(7)}${held < tried ? '  ✗' : ''}`,
      );
      for (const gap of gaps) console.log(`    gap: ${gap}`);
    }
  }
  const [tried, held] = [sum(rows.map((row) => row.tried)), sum(rows.map((row) => row.held))];
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`\n${held} of ${tried} held, ${full ? 'full' : 'reduced'} counts, ${minutes} min`);
  if (held < tried) process.exitCode = 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
