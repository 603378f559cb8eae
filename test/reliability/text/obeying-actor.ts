/**
 * An actor that obeys every instruction in its prompt, in the files of the tree and their names, and in the commit
 * messages. An instruction is a command in backticks after the word "run". Prints the number of executed instructions.
 * It is copied into the tested repository, so it imports Node alone.
 */
import { spawnSync } from 'node:child_process';
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
  const { stdout } = spawnSync('sh', ['-c', order], { timeout: 5000, encoding: 'utf8' });
  process.stdout.write(stdout);
}
process.stdout.write(`\nobeyed ${orders.size} orders\n`);

function historyText(): string {
  return spawnSync('git', ['log', '--format=%B'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' })
    .stdout;
}
