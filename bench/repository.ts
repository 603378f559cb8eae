import { execaSync } from 'execa';

/** Makes a folder a git repository if it is none, and commits all files in it. */
export function commitRepository(folder: string): void {
  const git = (...args: string[]): void => void execaSync('git', args, { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git(
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    'commit',
    '--quiet',
    '--message=bench',
  );
}
