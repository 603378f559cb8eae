import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ralph } from '../../support/ralph.ts';
import { commitTree, writeTree } from '../sandbox/write-tree.ts';
import { CHILDREN } from './children.ts';
import type { Ended } from './end-children.ts';
import { endAll, processesNamed, survivorsOf } from './survivors.ts';

/** How `ralph run` itself ends while an actor and its children run; `SIGKILL` is a crash. */
export const STOPS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
export type Stop = (typeof STOPS)[number];

let seconds = 800_000 + (process.pid % 1000) * 100;

/** Stops the built program in each of the ways, each time with all children at once. */
export async function endProgram(stops: readonly Stop[], sandbox: 'strict' | 'off'): Promise<Ended> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-stopped-'));
  try {
    writeTree(root, { 'package.json': '{ "name": "a", "scripts": { "test": "false" } }\n' });
    commitTree(root);
    const problems: string[] = [];
    for (const stop of stops) {
      const task = `sleep ${++seconds}`;
      const lines = Object.values(CHILDREN).map((line) => line.replaceAll('TASK', task));
      const actor = `${lines.join('\n')}\nsleep 0.3\necho started\nsleep 60`;
      let begun = 0;
      await ralph(
        root,
        ['run', '--format', 'jsonl', '--sandbox', sandbox, '--max-iterations', '1', '--command', actor],
        {
          when: [
            [
              '"text":"started"',
              (child) => {
                begun = processesNamed(task.replace(' ', '\0')).length;
                child.kill(stop);
              },
            ],
            ...(stop === 'SIGINT'
              ? [['Stopping once', (child: { kill(name: Stop): unknown }) => void child.kill(stop)] as const]
              : []),
          ],
        },
      );
      const survivors = await survivorsOf(task.replace(' ', '\0'));
      endAll(survivors);
      if (begun < Object.keys(CHILDREN).length) problems.push(`${stop}: only ${begun} children had begun`);
      if (survivors.length > 0) problems.push(`${stop}: ${survivors.length} survived`);
    }
    return { tried: stops.length, problems };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
