import { execFileSync } from 'node:child_process';

/** Makes a folder a git repository with all of it committed. */
export function commit(folder: string): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
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
