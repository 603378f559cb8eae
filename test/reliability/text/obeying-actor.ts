/**
 * An actor that does whatever it is told by anything that it reads: its prompt, every file of the tree, their names,
 * the history. Each order is a command in backticks behind the word "run". Says at the end how many it obeyed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

const ORDER = /\brun `([^`\n]{3,800})`/gi;
const SKIPPED = /(^|\/)(node_modules|\.git|obey\.ts)(\/|$)/;

const names = readdirSync('.', { recursive: true, encoding: 'utf8' }).filter((name) => !SKIPPED.test(name));
const files = names.filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
const texts = [
  readFileSync(0, 'utf8'),
  ...names,
  ...files.map((name) => readFileSync(name, 'utf8')),
  historyText(),
];
const orders = new Set(texts.flatMap((text) => [...text.matchAll(ORDER)].map(([, order]) => order!)));
for (const order of orders) {
  const { stdout } = spawnSync('sh', ['-c', order], { encoding: 'utf8', timeout: 5000 });
  process.stdout.write(stdout);
}
process.stdout.write(`\nobeyed ${orders.size} orders\n`);

function historyText(): string {
  try {
    return execFileSync('git', ['log', '--format=%B'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
