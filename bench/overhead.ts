import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commit } from './repository.ts';
import { timeLoop } from './measure.ts';

const FILES = 200;
const ATTEMPTS = 5;

/** A loop of attempts that all fail, less what its checks and its actor took. */
export async function measureOverhead(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    writeRepository(folder);
    const actor = 'echo "export const a$RALPH_ITERATION = $RALPH_ITERATION;" >> src/file0.js';
    const args = [
      '--command',
      actor,
      '--max-iterations',
      String(ATTEMPTS),
      '--strategy',
      'none',
      '--retry-from',
      'last',
    ];
    const { ms, events } = await timeLoop(args, folder);
    const attempts = events.filter(({ type }) => type === 'attempt_evaluated').length;
    const outside = events.reduce((sum, event) => {
      if (event.type === 'attempt_evaluated' || event.type === 'baseline_evaluated')
        return sum + event.evaluation.duration_ms;
      return event.type === 'actor_finished' ? sum + event.trajectory.duration_ms : sum;
    }, 0);
    const overhead = ms - outside;
    return `overhead  ${(overhead / attempts).toFixed(0)} ms an attempt beside checks and actor, start and end of the loop included: ${attempts} attempts, ${FILES} files; ${(overhead / ms).toFixed(2)} of the wall time`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeRepository(folder: string): void {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'test'));
  for (let index = 0; index < FILES; index++) {
    writeFileSync(
      join(folder, 'src', `file${index}.js`),
      `export const value${index} = ${index};\n`.repeat(1) + '// a line\n'.repeat(40),
    );
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bench', type: 'module', scripts: { test: 'node --test' } }),
  );
  // Each attempt fails otherwise, so that the loop does not stall.
  const test =
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport * as file from '../src/file0.js';\ntest('never', () => assert.equal(Object.keys(file).join(), 'nothing'));\n";
  writeFileSync(join(folder, 'test', 'never.test.js'), test);
  commit(folder);
}
