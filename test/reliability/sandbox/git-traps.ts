import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { ralph } from '../../support/ralph.ts';
import { commitTree, writeTree } from './write-tree.ts';

/** Settings of git that name a program; `MARK` stands for a program that makes a file with the setting's name. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsmonitor: '[core] fsmonitor = MARK',
  pager: '[core] pager = MARK',
  editor: '[core] editor = MARK',
  'ssh-command': '[core] sshCommand = MARK',
  'external-diff': '[diff] external = MARK',
  textconv: '[diff "trap"] textconv = MARK',
  'clean-filter': '[filter "trap"]\n\tclean = MARK\n\trequired = true',
  'smudge-filter': '[filter "trap"] smudge = MARK',
  'merge-driver': '[merge "trap"] driver = MARK',
  signing: '[commit] gpgSign = true\n[gpg] program = MARK',
  credentials: '[credential] helper = "!MARK"',
};
const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-merge',
  'fsmonitor-watchman',
  'prepare-commit-msg',
  'commit-msg',
];

/** Number of planted programs. */
export const TRAPS = Object.keys(SETTINGS).length + HOOKS.length;

/** Shell script that makes its working directory a repository with these settings and hooks; they make files in `marks`. */
export function trapScript(marks: string): string {
  const trap = (name: string): string => `touch ${join(marks, name)}; cat`;
  const settings = Object.entries(SETTINGS).map(([name, text]) => text.replace('MARK', `"${trap(name)}"`));
  return [
    'rm -rf .git; git init --quiet',
    "printf '* filter=trap diff=trap merge=trap\\n' > .gitattributes",
    `cat >> .git/config <<'END'\n${settings.join('\n')}\nEND`,
    ...HOOKS.map(
      (name) => `printf '#!/bin/sh\\n${trap(name)}\\n' > .git/hooks/${name}; chmod +x .git/hooks/${name}`,
    ),
  ].join('\n');
}

/**
 * Runs a loop without a sandbox, whose actor plants the settings and hooks and then repairs the code. Returns the names of
 * those that were executed.
 */
export async function tryTraps(): Promise<{ readonly exitCode: number | null; readonly executed: string[] }> {
  const folder = makeTemporaryFolder('traps');
  const root = join(folder, 'repository');
  const marks = join(folder, 'marks');
  try {
    mkdirSync(marks);
    writeTree(root, {
      'package.json': '{ "name": "traps", "type": "module", "scripts": { "test": "node --test" } }\n',
      'add.js': 'export const add = (a, b) => a - b;\n',
      'add.test.js':
        "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
      'plant.sh': trapScript(marks),
    });
    commitTree(root);
    const actor =
      'sh plant.sh; test $RALPH_ITERATION = 1 && echo "// no" >> add.js || sed -i "s/a - b/a + b/" add.js';
    const options = ['--sandbox', 'off', '--allow', '.gitattributes', '--command', actor];
    const { exitCode } = await ralph(root, ['run', ...options]);
    return { exitCode, executed: readdirSync(marks) };
  } finally {
    removeTemporaryFolder(folder);
  }
}
