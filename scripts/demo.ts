/**
 * `npm run demo -- [--keep FOLDER] [OPTION…]`: copies the package in `demo/` to a new git repository and runs the built
 * ralph in it. Its bugs are in `demo/src`, where you can change them. OPTIONs are passed to `ralph run`.
 *
 * The repository is removed at the end, unless `--keep` names a new folder for it.
 */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execaSync } from 'execa';
import { makeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const ralph = join(root, 'bin', 'ralph.js');
const args = process.argv.slice(2);
const keep = args[0] === '--keep' ? resolve(args[1]!) : undefined;
const options = keep === undefined ? args : args.slice(2);
const temporary = makeTemporaryFolder('demo');
const repository = keep ?? join(temporary, 'shop');

mkdirSync(repository);
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
  '--message=A shop with failing tests, types and lint rules',
);

console.log(`A repository with failing tests, types and lint rules: ${repository}`);
console.log('$ ralph run --max-iterations 12\n');
const { exitCode } = execaSync(process.execPath, [ralph, 'run', '--max-iterations', '12', ...options], {
  cwd: repository,
  env: { TMPDIR: temporary },
  stdio: 'inherit',
  reject: false,
});

console.log('\n$ git diff');
console.log(git('diff', '--', 'src'));
console.log('$ ls .aiwg/ralph/reflections/*');
for (const file of readdirSync(join(repository, '.aiwg', 'ralph', 'reflections'), { recursive: true }))
  console.log(`  ${String(file)}`);
process.exitCode = exitCode ?? 1;

function git(...args: string[]): string {
  return execaSync('git', args, { cwd: repository, stripFinalNewline: false }).stdout;
}
