/**
 * `npm run demo`: copies the package in `demo/` to a temporary folder, makes a git repository of it, and runs
 * the built ralph there as a user would. The defects are in `demo/src` for anyone to see, and to change.
 */
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';

const root = join(import.meta.dirname, '..');
const ralph = join(root, 'bin', 'ralph.js');
const repository = mkdtempSync(join(tmpdir(), 'ralph-demo-'));

cpSync(join(root, 'demo'), repository, { recursive: true });
symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
git('init', '--quiet', '--initial-branch=main');
git('add', '--all');
git(
  '-c',
  'user.name=demo',
  '-c',
  'user.email=demo@example.invalid',
  'commit',
  '--quiet',
  '--message=A shop that does not add up',
);

console.log(`A repository whose tests, types and lint fail: ${repository}`);
console.log('$ ralph run --max-iterations 12\n');
const { exitCode } = execaSync(
  process.execPath,
  [ralph, 'run', '--max-iterations', '12', ...process.argv.slice(2)],
  {
    cwd: repository,
    stdio: 'inherit',
    reject: false,
  },
);

console.log('\n$ git diff');
console.log(git('diff', '--', 'src'));
console.log('$ ls .aiwg/ralph/reflections/*');
for (const file of readdirSync(join(repository, '.aiwg', 'ralph', 'reflections'), { recursive: true }))
  console.log(`  ${String(file)}`);
process.exitCode = exitCode ?? 1;

function git(...args: string[]): string {
  return execaSync('git', args, { cwd: repository, stripFinalNewline: false }).stdout;
}
