/**
 * `node build-changed.js FOLDER OUTPUT COMMAND…` builds a package of the workspace if its build output is older than its
 * files. FOLDER is the package's, OUTPUT its build output in it. A stamp in the output holds the state of the files that it
 * was built from and its own state; without a stamp that holds, the output belongs to the files of the last commit. Ends
 * with the exit code of the build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { runGit } from '../../platform/git/git.ts';
import { runProcess } from '../../platform/processes/process.ts';

const [folder = '.', output = '', ...command] = process.argv.slice(2);
const target = join(folder, output);
const STAMP = '.ralph-built-from';
const stamp = join(target, STAMP);
if (!(await isCurrent())) {
  const before = await sourceState();
  const { exitCode } = await runProcess({
    shell: command.join(' '),
    cwd: resolve(folder),
    env: process.env,
    onOutput: (text) => process.stdout.write(text),
  });
  if (exitCode === 0 && isFolder(target)) writeFileSync(stamp, `${before} ${outputState()}`);
  process.exitCode = exitCode ?? 1;
}

async function isCurrent(): Promise<boolean> {
  if (!existsSync(target)) return false;
  const [from, to] = existsSync(stamp) ? readTreeTextSync(stamp).split(' ') : [];
  if (to !== undefined && to === outputState()) return from === (await sourceState());
  return (await git(['status', '--porcelain'])).trim() === '';
}

/** Of the package's files that git does not ignore. */
async function sourceState(): Promise<string> {
  const listed = await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return stateOf(folder, listed.split('\0'));
}

function outputState(): string {
  if (!isFolder(target)) return stateOf(folder, [output]);
  const files = readdirSync(target, { recursive: true, encoding: 'utf8' });
  return stateOf(
    target,
    files.filter((file) => file !== STAMP),
  );
}

/** A hash of the names and contents of files. */
function stateOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].sort()) {
    const path = join(root, file);
    if (file === '' || !existsSync(path) || !statSync(path).isFile()) continue;
    hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

async function git(args: readonly string[]): Promise<string> {
  const { stdout } = await runGit(['--no-optional-locks', ...args, '--', '.'], { cwd: resolve(folder) });
  return stdout.toString('utf8');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
