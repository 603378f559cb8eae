import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { median, spread, time, timeLoop } from './measure.ts';

const NAIVE = ['npm test', 'npx tsc --noEmit', 'npx eslint .'];

/** One edit to the full verdict of all checks, over the same checks as one types them, pair by pair. */
export async function measureVerdict(repository: string, pairs: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  const copy = join(folder, basename(resolve(repository)));
  try {
    cpSync(repository, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => basename(path) !== '.aiwg',
    });
    const verdicts = await timeVerdicts(copy, pairs);
    const naive: number[] = [];
    for (let run = 0; run < pairs; run++) naive.push(await timeNaive(copy));
    const ratios = verdicts.map((ms, index) => ms / naive[index]!);
    const seconds = `${(median(verdicts) / 1000).toFixed(1)} s over ${(median(naive) / 1000).toFixed(1)} s`;
    return `verdict   edit to full verdict ÷ (${NAIVE.join('; ')}) = ${spread(ratios, 2)}, ${ratios.length} pairs, ${seconds}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A loop whose attempts each break the types of one source file anew: all checks run in full, none is confirmed. */
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
    '--require-change',
  ];
  const { events } = await timeLoop(args, copy);
  // The first attempt fills the caches.
  return events
    .flatMap((event) => (event.type === 'attempt_evaluated' ? [event.evaluation.duration_ms] : []))
    .slice(1);
}

async function timeNaive(copy: string): Promise<number> {
  let sum = 0;
  for (const command of NAIVE) sum += (await time('sh', ['-c', command], copy)).ms;
  return sum;
}
