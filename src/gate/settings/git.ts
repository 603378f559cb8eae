import { posix } from 'node:path';
import type { HookCommands, HookFile } from './hook-file.ts';

/** git: pre-commit and pre-push in `folder`, the repository's folder of hooks. */
export function gitFiles({ check }: HookCommands, folder: string): HookFile[] {
  return ['pre-commit', 'pre-push'].map((name) => ({
    kind: 'whole',
    path: posix.join(folder, name),
    text: `#!/bin/sh\n# Written by ralph init --hooks git; ralph init --hooks git --remove removes it.\nexec ${check}\n`,
    isExecutable: true,
    byHand: `${check} || exit 1`,
  }));
}
