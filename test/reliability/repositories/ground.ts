import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execaSync } from 'execa';

/** Where one kind of repository is made and tried. All paths are absolute real paths. */
export interface Ground {
  /** Holds the repository and all that belongs to it; every byte of it is compared. */
  readonly place: string;
  /** The home folder of whoever runs ralph there; not compared. */
  readonly home: string;
  /** The folder for temporary files, workspaces included; not compared. */
  readonly temporary: string;
  /** A clean environment with these folders, a name for git, and no configuration of the machine's. */
  readonly env: Readonly<Record<string, string>>;
}

/** Path → text or bytes; `to` is a symbolic link. */
export type Files = Readonly<Record<string, string | Buffer | { readonly to: string }>>;

const MODULES = join(import.meta.dirname, '../../../node_modules');

/** Nothing is packed behind the back of a trial. */
const GIT_CONFIG = '[user]\n\tname = Somebody\n\temail = somebody@example.org\n[gc]\n\tauto = 0\n';

export function makeGround(): Ground & { remove(): void } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-ground-')));
  const [place, home, temporary] = ['place', 'home', 'temporary'].map((name) => join(base, name));
  for (const folder of [place!, home!, temporary!]) mkdirSync(folder);
  writeFileSync(join(home!, '.gitconfig'), GIT_CONFIG);
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  // Kept between kinds: compiling ralph anew would be most of the time.
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
  const env = {
    ...cache,
    PATH: path,
    HOME: home!,
    TMPDIR: temporary!,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return {
    ...{ place: place!, home: home!, temporary: temporary!, env },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Runs a program in a folder of the ground and returns its standard output. Throws if it fails. */
export function run(ground: Ground, cwd: string, file: string, ...args: readonly string[]): string {
  return execaSync(file, args, { cwd, env: ground.env, extendEnv: false, stripFinalNewline: false }).stdout;
}

export function git(ground: Ground, cwd: string, ...args: readonly string[]): string {
  return run(ground, cwd, 'git', ...args);
}

/** `git` for a command that is to stop half-way, such as a merge with conflicts. */
export function gitStops(ground: Ground, cwd: string, ...args: readonly string[]): void {
  try {
    git(ground, cwd, ...args);
  } catch {
    return;
  }
  throw new Error(`git ${args.join(' ')} was expected to stop, and did not`);
}

export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { recursive: true, force: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(at, content);
    else symlinkSync(content.to, at);
  }
}

/** A new repository on `main` without a commit. */
export function initialise(ground: Ground, name = 'project', ...options: readonly string[]): string {
  const root = join(ground.place, name);
  mkdirSync(root, { recursive: true });
  git(ground, root, 'init', '--quiet', '--template=', '--initial-branch=main', ...options);
  return root;
}

/** Commits everything in the tree, and leaves no file that looks freshly written. */
export function commit(ground: Ground, root: string, message = 'start'): void {
  git(ground, root, 'add', '--all');
  git(ground, root, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
}

/** A committed repository with these files. */
export function repository(ground: Ground, files: Files = ADDER, name?: string): string {
  const root = initialise(ground, name);
  write(root, files);
  commit(ground, root);
  return root;
}

/** Links a package of ralph's own dependencies into the `node_modules` of a folder. */
export function linkPackage(folder: string, name: string): void {
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(join(MODULES, name), at);
}

/** A test that fails for one wrong operator in the module at `source`, a path as `import` takes it. */
export function testOf(source: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '${source}';
test('adds', () => assert.equal(add(2, 3), 5));
test('adds nothing', () => assert.equal(add(7, 0), 7));
`;
}

export const BUGGY = 'export function add(a, b) {\n  return a - b;\n}\n';

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

/** A package without dependencies that one edit of `src/add.js` repairs. */
export const ADDER: Files = {
  '.gitignore': 'node_modules\n',
  'package.json': manifest(),
  'src/add.js': BUGGY,
  'test/add.test.js': testOf('../src/add.js'),
};
