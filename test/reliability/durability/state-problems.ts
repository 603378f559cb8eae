import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { readReflections } from '../../../src/memory/episodes/reflection-files.ts';
import { readJournal } from '../../../src/state/journal.ts';
import { listLoops } from '../../../src/state/loops.ts';
import { readDelivery } from '../../../src/workspace/deliver/record.ts';
import { readdirSync } from 'node:fs';

/** What is wrong with the state of a repository, of all its loops; empty where every file can be read whole. */
export async function stateProblems(root: string): Promise<string[]> {
  const problems: string[] = [];
  const { damaged } = await listLoops(root);
  problems.push(
    ...damaged
      .filter(({ problem }) => problem !== 'no state was saved')
      .map(({ path, problem }) => `${path} ${problem}`),
  );
  problems.push(...(await readReflections(root)).damaged.map(({ path, problem }) => `${path} ${problem}`));
  for (const loopId of loopsOf(root)) {
    const folder = join(root, '.aiwg/ralph/loops', loopId);
    const calls = join(folder, 'model-calls.jsonl');
    for (const read of [
      () => readJournal(join(folder, 'journal.jsonl')),
      () => existsSync(calls) && openRecording(calls),
      () => readDelivery(root, loopId),
    ]) {
      try {
        read();
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
  }
  return problems;
}

export function loopsOf(root: string): string[] {
  const folder = join(root, '.aiwg/ralph/loops');
  return existsSync(folder) ? readdirSync(folder) : [];
}
