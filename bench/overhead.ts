import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { timeLoop } from './measure.ts';
import { commitRepository } from './repository.ts';

const FILES = 200;
const ATTEMPTS = 5;

/** Measures the wall time of a loop of failing attempts, minus the time of its checks and its actor. */
export async function measureOverhead(): Promise<string> {
  const folder = makeTemporaryFolder('bench');
  const repository = join(folder, 'repository');
  try {
    writeRepository(repository);
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
    const { ms, events } = await timeLoop(args, repository);
    const attempts = events.filter(({ type }) => type === 'attempt_evaluated').length;
    const outside = events.reduce((sum, event) => {
      if (event.type === 'attempt_evaluated' || event.type === 'baseline_evaluated')
        return sum + event.evaluation.duration_ms;
      return event.type === 'actor_finished' ? sum + event.trajectory.duration_ms : sum;
    }, 0);
    const overhead = ms - outside;
    return (
      `overhead  ${(overhead / attempts).toFixed(0)} ms per attempt without checks and actor, ` +
      `with start and end of the loop: ${attempts} attempts, ${FILES} files; ${((overhead / ms) * 100).toFixed(0)} % of the wall time`
    );
  } finally {
    removeTemporaryFolder(folder);
  }
}

function writeRepository(folder: string): void {
  for (const part of ['src', 'test']) mkdirSync(join(folder, part), { recursive: true });
  for (let index = 0; index < FILES; index++) {
    writeFileSync(
      join(folder, 'src', `file${index}.js`),
      `export const value${index} = ${index};\n${'// a line\n'.repeat(40)}`,
    );
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bench', type: 'module', scripts: { test: 'node --test' } }),
  );
  // Every attempt fails with another message, so that the loop does not stop for lack of progress.
  const test =
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport * as file from '../src/file0.js';\ntest('never', () => assert.equal(Object.keys(file).join(), 'nothing'));\n";
  writeFileSync(join(folder, 'test', 'never.test.js'), test);
  commitRepository(folder);
}
