import { createHash, type Hash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa, execaSync } from 'execa';

const PROGRAM = join(import.meta.dirname, '../../../bin/ralph.js');

/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** A committed repository, with folders of its own for everything temporary. Paths are absolute. */
export interface TestRepository {
  readonly root: string;
  /** Beside the repository; not compared. */
  readonly scratch: string;
  remove(): void;
}

/** How a program ended. `signal` is what killed it. */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `at` is where the repository is put; a new temporary folder when absent. */
export function makeTestRepository(files: Files, at?: string): TestRepository {
  const base = at ?? temporaryFolder();
  const [root, scratch] = [
    join(base, 'repository'),
    at === undefined ? join(base, 'aside') : temporaryFolder(),
  ];
  for (const folder of [root, scratch]) mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'config', 'user.name', 'Somebody');
  git(root, 'config', 'user.email', 'somebody@example.org');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message=start');
  return {
    root,
    scratch,
    remove() {
      for (const folder of [root, scratch, ...(at === undefined ? [base] : [])])
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A folder for one trial; the caller removes it. */
export function temporaryFolder(parent = tmpdir()): string {
  return realpathSync(mkdtempSync(join(parent, 'ralph-durability-')));
}

/** The same in memory, where the system has that: for trials that end no power and fill no disk. */
export function memoryFolder(): string {
  try {
    return temporaryFolder('/dev/shm');
  } catch {
    return temporaryFolder();
  }
}

export function git(cwd: string, ...args: readonly string[]): string {
  return execaSync('git', args, { cwd, stdin: 'ignore', stripFinalNewline: false }).stdout;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the process id as soon as there is one. */
  readonly onStart?: (pid: number) => void;
  /** Shell text that ends in `exec "$@"`, for limits on the program. */
  readonly limits?: string;
}

/** Runs the built `ralph ARGS` in the repository's repository to its end. */
export async function ralph(
  repository: TestRepository,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProcessResult> {
  const command = [process.execPath, PROGRAM, ...args];
  const [file, ...rest] =
    options.limits === undefined ? command : ['bash', '-c', options.limits, 'bash', ...command];
  const child = execa(file!, rest, {
    cwd: repository.root,
    env: { CI: undefined, RALPH_PROCESS_TAG: undefined, TMPDIR: repository.scratch, ...options.env },
    stdin: 'ignore',
    stripFinalNewline: false,
    reject: false,
  });
  if (child.pid !== undefined) options.onStart?.(child.pid);
  const result = await child;
  if (result.code !== undefined) throw result;
  const { exitCode = null, signal = null, stdout, stderr } = result;
  return { exitCode, signal, stdout, stderr };
}

/** The environment in which a program meets a failpoint. */
export function failpointEnvironment(specification: string): Record<string, string> {
  return { RALPH_TEST_RUN: '1', RALPH_FAILPOINT: specification };
}

/** One value for the user's index, HEAD and refs. */
export function gitFingerprint(root: string): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(root, '.git', 'index')));
  hash.update(readFileSync(join(root, '.git', 'HEAD')));
  return hash.update(git(root, 'for-each-ref')).digest('hex');
}

/** One value for all of the user's files, with modes. */
export function treeFingerprint(root: string): string {
  const hash = createHash('sha256');
  addFolder(hash, root, '');
  return hash.digest('hex');
}

/** Every file below ralph's own folder, relative to the root; its git directory is left out. */
export function stateFiles(root: string): string[] {
  const folder = join(root, '.aiwg', 'ralph');
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('snapshots.git') && lstatSync(join(folder, path)).isFile())
      .map((path) => join('.aiwg', 'ralph', path));
  } catch {
    return [];
  }
}

function addFolder(hash: Hash, root: string, path: string): void {
  for (const name of readdirSync(join(root, path)).sort()) {
    if (path === '' && (name === '.git' || name === '.aiwg')) continue;
    const inner = join(path, name);
    const stat = lstatSync(join(root, inner));
    hash.update(`${inner}\0${stat.mode}\0`);
    if (stat.isDirectory()) addFolder(hash, root, inner);
    else hash.update(readFileSync(join(root, inner)));
  }
}
