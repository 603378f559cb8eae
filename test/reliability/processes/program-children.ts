import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { plural } from '../../../src/platform/text/plural.ts';
import { ralph } from '../../support/ralph.ts';
import { commitTree, writeTree } from '../sandbox/write-tree.ts';
import { CHILDREN } from './children.ts';
import type { ChildTrials } from './end-children.ts';
import { endAll, processesNamed, survivorsOf } from './survivors.ts';

/** Signals that end `ralph run` while an actor and its children run; `SIGKILL` stands for a crash. */
export const STOPS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
export type Stop = (typeof STOPS)[number];

let seconds = 800_000 + (process.pid % 1000) * 100;

/** Ends the built program by each signal while its actor has one child of each kind, and looks for survivors. */
export async function endProgram(stops: readonly Stop[], sandbox: 'strict' | 'off'): Promise<ChildTrials> {
  const folder = makeTemporaryFolder('stopped');
  const root = join(folder, 'repository');
  // A killed process leaves files here.
  const temporary = join(folder, 'temporary');
  try {
    for (const path of [root, temporary]) mkdirSync(path);
    writeTree(root, { 'package.json': '{ "name": "a", "scripts": { "test": "false" } }\n' });
    commitTree(root);
    const problems: string[] = [];
    for (const stop of stops) {
      const task = `sleep ${++seconds}`;
      const lines = Object.values(CHILDREN).map((line) => line.replaceAll('TASK', task));
      const actor = `${lines.join('\n')}\nsleep 0.3\necho started\nsleep 60`;
      let started = 0;
      await ralph(
        root,
        ['run', '--format', 'jsonl', '--sandbox', sandbox, '--max-iterations', '1', '--command', actor],
        {
          env: { TMPDIR: temporary },
          when: [
            [
              '"text":"started"',
              (child) => {
                started = processesNamed(task.replace(' ', '\0')).length;
                child.kill(stop);
              },
            ],
            ...(stop === 'SIGINT'
              ? [['Stopping;', (child: { kill(name: Stop): unknown }) => void child.kill(stop)] as const]
              : []),
          ],
        },
      );
      const survivors = await survivorsOf(task.replace(' ', '\0'));
      endAll(survivors);
      if (started < Object.keys(CHILDREN).length)
        problems.push(`${stop}: only ${plural(started, 'child', 'children')} had started`);
      if (survivors.length > 0) problems.push(`${stop}: ${survivors.length} survived`);
    }
    return { tried: stops.length, problems };
  } finally {
    removeTemporaryFolder(folder);
  }
}
