import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';

/**
 * Real path of `start` or its nearest parent with a `.git`, found without starting git: enough for commands that only
 * read ralph's state. Throws RalphError `no_repository`.
 */
export function findRepositoryRoot(start: string): string {
  for (let folder = realpathSync(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) throw noRepository(start);
  }
}

function noRepository(start: string): RalphError {
  return new RalphError(`${start} is not inside a git repository.`, {
    code: 'no_repository',
    exitCode: ExitCode.workspace,
    hint: 'git init && git add -A && git commit -m "start"',
  });
}
