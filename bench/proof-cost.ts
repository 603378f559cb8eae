/**
 * `node bench/proof-cost.ts [--runner node|vitest] [--files N]`: what it costs to verify a repair, in a new repository of
 * N test files (default 40) with 12 or 13 tests each, and in one of a single file. It lists the starts of the test
 * runner, each with its CPU time and the part of ralph that makes it, and divides the CPU time of all that a verified
 * result needs after its tests have passed by that of one run of the test command. Without a sandbox, which hides CPU time.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { writeParts, type PartsRunner } from './proof-cost/write-parts.ts';
import { commitRepository } from './repository.ts';

interface Start {
  readonly words: readonly string[];
  /** Files of `src` that led to the start, without their endings, innermost first. */
  readonly stack: readonly string[];
  /** CPU time of all ended programs when it started and when it ended, in milliseconds. */
  readonly before: number;
  readonly after: number;
}

const ROOT = join(import.meta.dirname, '..');
const NOTES = join(import.meta.dirname, 'proof-cost', 'note-starts.mjs');
const MAIN = join(ROOT, 'src', 'cli', 'main.ts');

const { values } = parseArgs({
  options: { runner: { type: 'string', default: 'vitest' }, files: { type: 'string', default: '40' } },
});
const runner: PartsRunner = values.runner === 'node' ? 'node' : 'vitest';
for (const files of [1, Number(values.files)]) console.log(await measure(runner, files));

async function measure(runner: PartsRunner, files: number): Promise<string> {
  const folder = makeTemporaryFolder('bench');
  const repository = join(folder, 'repository');
  try {
    mkdirSync(repository);
    const { broken, repair } = writeParts(repository, { runner, files });
    symlinkSync(join(ROOT, 'node_modules'), join(repository, 'node_modules'));
    writeFileSync(join(repository, '.gitignore'), 'node_modules\n');
    commitRepository(repository);
    const starts = await repairWith(repository, repair, join(folder, 'starts.jsonl'));
    const confirmation = starts.findIndex(({ stack }) => stack.includes('proof/test-command'));
    const own = starts[confirmation]!;
    const proof = starts.slice(confirmation);
    // Some run at once: they are counted together.
    const costMs = Math.max(...proof.map(({ after }) => after)) - own.before;
    const ofMutants = proof.filter(({ stack }) => stack.some((name) => name.startsWith('proof/strength/')));
    const neededMs = costMs - ofMutants.reduce((sum, start) => sum + cpuMs(start), 0);
    const runs = starts.filter(isRunner);
    return [
      `${runner}, ${files} test files: ${runs.length} starts of the test runner to repair ${broken}`,
      ...runs.map((start) => `  ${String(cpuMs(start)).padStart(6)} ms  ${partOf(start.stack)}`),
      `  proof ÷ one run of the test command = ${(costMs / cpuMs(own)).toFixed(2)} (CPU ${costMs} ÷ ${cpuMs(own)} ms)`,
      `  without the mutants, which --proof-time 0s leaves out: ${(neededMs / cpuMs(own)).toFixed(2)}`,
    ].join('\n');
  } finally {
    removeTemporaryFolder(folder);
  }
}

async function repairWith(repository: string, command: string, file: string): Promise<Start[]> {
  const code = `import(${JSON.stringify(MAIN)}).then(({ main }) => main(process.argv.slice(1)))`;
  const options = ['--quiet', '--sandbox', 'off', '--command', command];
  const { exitCode, stderr } = await execa(
    process.execPath,
    ['--import', NOTES, '-e', code, '--', 'run', ...options, 'repair the failing tests'],
    { cwd: repository, env: { STARTS: file }, stdin: 'ignore', reject: false },
  );
  if (exitCode !== 0) throw new Error(`ralph ended with ${exitCode}: ${stderr}`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Start)
    .filter(({ words }) => !/(^|\/)git$/.test(words[0] ?? ''));
}

function cpuMs({ before, after }: Start): number {
  return after - before;
}

/** True for a run of tests: not for the actor, and not for calls that are repeated outside of a runner. */
function isRunner({ words }: Start): boolean {
  return /--test-reporter|--reporter=|npm (run )?test|vitest run|node --test/.test(words.join(' '));
}

/** The part of the proof that made a start; a plain run of the checks has none. */
function partOf(stack: readonly string[]): string {
  const told = stack.filter((name) => /^(proof|loop\/proof)\//.test(name));
  return (
    told.find((name) => !/(stability|watched-run|recorded-run|tried-run|evaluator)$/.test(name)) ??
    told[0] ??
    'checks'
  );
}
