import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { SANDBOX_ENVIRONMENT } from '../support/bubblewrap.ts';
import {
  commitAll,
  git,
  linkModules,
  repositoryWith,
  temporaryFolder,
  type Files,
} from '../support/repositories.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TEST = [
  "import assert from 'node:assert/strict';",
  "import { test } from 'node:test';",
  "import { count, total, isFree } from '../src/cart.js';",
  '',
  'const cart = [{ price: 500, quantity: 2 }, { price: 250, quantity: 3 }];',
  '',
  "test('counts the pieces', () => {\n  assert.equal(count(cart), 5);\n});",
  "test('counts nothing in an empty cart', () => {\n  assert.equal(count([]), 0);\n});",
  "test('adds price by quantity', () => {\n  assert.equal(total(cart), 1750);\n  assert.equal(total([{ price: 300, quantity: 4 }]), 1200);\n});",
  "test('adds up to nothing for an empty cart', () => {\n  assert.equal(total([]), 0);\n});",
  "test('sends for free from the limit on', () => {\n  assert.equal(isFree(5000), true);\n  assert.equal(isFree(4999), false);\n});",
  '',
].join('\n');

interface Operators {
  readonly plus: string;
  readonly times: string;
  readonly from: string;
}

const RIGHT: Operators = { plus: '+', times: '*', from: '>=' };
const WRONG: Operators = { plus: '-', times: '/', from: '>' };

/** A package with three functions, each with one operator. */
function cartFiles({ plus, times, from }: Operators): Files {
  return {
    'package.json': { name: 'cart', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
    'src/cart.js': [
      '/** Pieces in a cart. */',
      `export function count(cart) {\n  return cart.reduce((sum, line) => sum ${plus} line.quantity, 0);\n}\n`,
      '/** Cents. */',
      `export function total(cart) {\n  return cart.reduce((sum, line) => sum + line.price ${times} line.quantity, 0);\n}\n`,
      '/** Sent without a charge, from 50 euros on. */',
      `export function isFree(cents) {\n  return cents ${from} 5000;\n}\n`,
    ].join('\n'),
    'test/cart.test.js': TEST,
  };
}

/** Makers of the repositories in which pages are executed; each returns the absolute path of a new one. */
export const FIXTURES: Readonly<Record<string, (run: (command: string, cwd: string) => void) => string>> = {
  cart: () => repositoryWith(cartFiles(WRONG)),
  'one bug': () => repositoryWith(cartFiles({ ...RIGHT, plus: '-' })),
  green: () => repositoryWith(cartFiles(RIGHT)),
  empty: () => temporaryFolder(),
  source: () => ROOT,
  demo() {
    const root = temporaryFolder();
    cpSync(join(ROOT, 'demo'), root, { recursive: true });
    linkModules(root, ['vitest', 'typescript', 'eslint', '@eslint/js', 'typescript-eslint', '@types/node']);
    git(root, 'init', '--quiet', '--initial-branch=main');
    commitAll(root);
    return root;
  },
  ran(run) {
    ranOnce ??= repositoryAfterRuns(run);
    const root = temporaryFolder();
    cpSync(ranOnce, root, { recursive: true, preserveTimestamps: true });
    return root;
  },
};

/** Made by the first page that needs it; pages get copies. */
let ranOnce: string | undefined;

/** A repository after an unverified and a verified loop. */
function repositoryAfterRuns(run: (command: string, cwd: string) => void): string {
  const root = repositoryWith(cartFiles(WRONG));
  run(`ralph run --command 'echo done' --max-iterations 1 || test $? = 1`, root);
  run('ralph run --max-iterations 5', root);
  return root;
}

const HOME = join(temporaryFolder(), 'home');
const BIN = join(temporaryFolder(), 'bin');
mkdirSync(HOME);
mkdirSync(BIN);
writeFileSync(join(HOME, '.gitconfig'), '[user]\n\tname = You\n\temail = you@example.com\n');
for (const name of ['ralph', 'ralph-reflexion'])
  writeFileSync(
    join(BIN, name),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin', 'ralph.js')}' "$@"\n`,
    { mode: 0o755 },
  );

export interface CommandResult {
  /** Standard output and standard error, in the order in which they were written. */
  readonly output: string;
  readonly exitCode: number | null;
}

/** Runs a command line in bash, with the built ralph on PATH and a home folder of the tests. */
export function runCommand(command: string, cwd: string): CommandResult {
  const { stdout, exitCode } = execaSync('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd,
    input: '',
    reject: false,
    stripFinalNewline: false,
    extendEnv: false,
    env: {
      PATH: [BIN, join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(':'),
      HOME,
      NO_COLOR: '1',
      LANG: 'C.UTF-8',
      TMPDIR: process.env.TMPDIR ?? '/tmp',
      ...SANDBOX_ENVIRONMENT,
    },
  });
  return { output: stdout, exitCode: exitCode ?? null };
}
