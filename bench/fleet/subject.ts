import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The program of the command actor, which repairs the repository. */
export const FIX = "sed -i 's/a - b/a + b/' src/add.js";

/** A check that starts no Node. */
const CHECK = 'sh test.sh';

/** Settings of a loop that costs little. */
export const CHEAP = {
  checks: { tests: CHECK },
  sandbox: 'off',
  proofTime: '0s',
  memory: false,
  maxIterations: 1,
} as const;

/** `CHEAP` as flags of `ralph run`. */
export const CHEAP_FLAGS = [
  ...['--check', `tests=${CHECK}`, '--sandbox', 'off', '--proof-time', '0s', '--no-memory'],
  ...['--max-iterations', '1'],
];

/** One wrong operator. */
const FILES = {
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'test.sh': 'grep -q "return a + b" src/add.js\n',
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
