import { cpSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { median, spread, time, timeLoop } from './measure.ts';

/** The same checks as shell commands. */
const COMMANDS = ['npm test', 'npx tsc --noEmit', 'npx eslint .'];

/**
 * Measures the time from one edit to the verdict of all checks, divided by the time of the same checks run one after the
 * other from a shell. `repository` is copied.
 */
export async function measureVerdict(repository: string, pairs: number): Promise<string> {
  const folder = makeTemporaryFolder('bench');
  const copy = join(folder, basename(resolve(repository)));
  try {
    cpSync(repository, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== '.aiwg',
    });
    const verdicts = await timeVerdicts(copy, pairs);
    const sequences: number[] = [];
    for (let run = 0; run < pairs; run++) sequences.push(await timeCommands(copy));
    const ratios = verdicts.map((ms, index) => ms / sequences[index]!);
    const seconds = `${(median(verdicts) / 1000).toFixed(1)} s ÷ ${(median(sequences) / 1000).toFixed(1)} s`;
    return `verdict   edit to full verdict ÷ (${COMMANDS.join('; ')}) = ${spread(ratios, 2)}, ${ratios.length} pairs, ${seconds}`;
  } finally {
    removeTemporaryFolder(folder);
  }
}

/** Runs a loop in which every attempt adds a type error to one source file: all checks run in full, none is confirmed. */
async function timeVerdicts(copy: string, attempts: number): Promise<number[]> {
  const file = `src/${readdirSync(join(copy, 'src')).find((name) => name.endsWith('.ts') && name !== 'index.ts')!}`;
  const actor = `echo "export const broken$RALPH_ITERATION: number = 'no';" >> ${file}`;
  const args = [
    '--command',
    actor,
    '--max-iterations',
    String(attempts + 1),
    '--retry-from',
    'last',
    '--apply-unproven',
    'add a function',
  ];
  const { events } = await timeLoop(args, copy);
  // The first attempt fills the caches.
  return events
    .flatMap((event) => (event.type === 'attempt_evaluated' ? [event.evaluation.duration_ms] : []))
    .slice(1);
}

async function timeCommands(copy: string): Promise<number> {
  let sum = 0;
  for (const command of COMMANDS) sum += (await time('sh', ['-c', command], copy)).ms;
  return sum;
}
