import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';

/** Folders and environment in which one kind of repository is made and tried. Paths are absolute real paths. */
export interface Testbed {
  /** Contains the repository and everything that belongs to it. Compared byte by byte. */
  readonly place: string;
  /** The home folder of ralph's user. Not compared. */
  readonly home: string;
  /** TMPDIR of ralph, in which its workspace is. Not compared. */
  readonly temporary: string;
  /** Environment with these folders and an identity for git, without configuration of the machine. */
  readonly env: Readonly<Record<string, string>>;
}

/** Content of files by path; `to` is the target of a symbolic link. */
export type Files = Readonly<Record<string, string | Buffer | { readonly to: string }>>;

const MODULES = join(import.meta.dirname, '../../../node_modules');

/** Without automatic `git gc`, which would change files during a trial. */
const GIT_CONFIG = '[user]\n\tname = Somebody\n\temail = somebody@example.org\n[gc]\n\tauto = 0\n';

/** Makes a testbed with empty folders. */
export function makeTestbed(): Testbed & { remove(): void } {
  const base = makeTemporaryFolder('repositories');
  const place = join(base, 'place');
  const home = join(base, 'home');
  const temporary = join(base, 'temporary');
  for (const folder of [place, home, temporary]) mkdirSync(folder);
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG);
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    // Shared by all trials: compiling ralph's code again would take most of the time.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  };
  return { place, home, temporary, env, remove: () => removeTemporaryFolder(base) };
}

/** Runs a program in the environment of the testbed and returns its standard output. Throws if it fails. */
export function run(testbed: Testbed, cwd: string, file: string, ...args: readonly string[]): string {
  return execaSync(file, args, { cwd, env: testbed.env, extendEnv: false, stripFinalNewline: false }).stdout;
}

/** Runs git and returns its standard output. Throws if it fails. */
export function git(testbed: Testbed, cwd: string, ...args: readonly string[]): string {
  return run(testbed, cwd, 'git', ...args);
}

/** Runs a git command that must fail half-way, such as a merge with conflicts. Throws if it succeeds. */
export function gitExpectingStop(testbed: Testbed, cwd: string, ...args: readonly string[]): void {
  try {
    git(testbed, cwd, ...args);
  } catch {
    return;
  }
  throw new Error(`git ${args.join(' ')} was expected to fail, but succeeded`);
}

/** Writes files and links below a folder, replacing what is there. */
export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { recursive: true, force: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(at, content);
    else symlinkSync(content.to, at);
  }
}

/** Makes a repository with the branch `main` and no commit, and returns its path. */
export function initialise(testbed: Testbed, name = 'project', ...options: readonly string[]): string {
  const root = join(testbed.place, name);
  mkdirSync(root, { recursive: true });
  git(testbed, root, 'init', '--quiet', '--template=', '--initial-branch=main', ...options);
  return root;
}

/** Commits all files of a tree. */
export function commit(testbed: Testbed, root: string, message = 'start'): void {
  git(testbed, root, 'add', '--all');
  git(testbed, root, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
}

/** Makes a repository with one commit of these files, and returns its path. */
export function repository(testbed: Testbed, files: Files = ADDER, name?: string): string {
  const root = initialise(testbed, name);
  write(root, files);
  commit(testbed, root);
  return root;
}

/** Links one of ralph's dependencies into the `node_modules` of a folder. */
export function linkPackage(folder: string, name: string): void {
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(join(MODULES, name), at);
}

/** A test that fails because of the wrong operator in `BUGGY`; `source` is the import path of that module. */
export function testOf(source: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '${source}';
test('adds', () => assert.equal(add(2, 3), 5));
test('adds nothing', () => assert.equal(add(7, 0), 7));
`;
}

/** A module with a wrong operator. */
export const BUGGY = 'export function add(a, b) {\n  return a - b;\n}\n';

/** Text of a package.json, with `fields` replacing the usual ones. */
export function manifest(fields: Readonly<Record<string, unknown>> = {}): string {
  const all = {
    name: 'adder',
    version: '1.0.0',
    type: 'module',
    scripts: { test: 'node --test' },
    ...fields,
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** A package without dependencies whose tests one edit of `src/add.js` repairs. */
export const ADDER: Files = {
  '.gitignore': 'node_modules\n',
  'package.json': manifest(),
  'src/add.js': BUGGY,
  'test/add.test.js': testOf('../src/add.js'),
};
