import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The program of the command actor, which repairs the repository. */
export const FIX = "sed -i 's/a - b/a + b/' src/add.js";

/** Settings of a loop that costs little beside its checks. */
export const CHEAP = { sandbox: 'off', proofTime: '0s', memory: false, maxIterations: 1 } as const;

/** `CHEAP` as flags of `ralph run`. */
export const CHEAP_FLAGS = ['--sandbox', 'off', '--proof-time', '0s', '--no-memory', '--max-iterations', '1'];

/** One wrong operator, and a check that runs no test runner. */
const FILES = {
  'package.json':
    '{ "name": "adder", "version": "1.0.0", "type": "module", "scripts": { "test": "node test/check.js" } }\n',
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'test/check.js':
    "import assert from 'node:assert/strict';\nimport { add } from '../src/add.js';\n\nassert.equal(add(2, 3), 5);\n",
};

/** Makes a bare repository with one commit in a new folder, and returns its path. */
export function makeRemote(folder: string): string {
  const source = join(folder, 'source');
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: source,
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  const remote = join(folder, 'remote.git');
  git('clone', '--quiet', '--bare', source, remote);
  return remote;
}

/** Branches of a remote that workers have pushed. */
export function resultBranches(remote: string): string[] {
  const out = execFileSync('git', ['for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph'], {
    cwd: remote,
  });
  return out
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');
}
