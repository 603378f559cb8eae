import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoriesSuite } from './repositories.ts';
import { KINDS } from './repositories/all.ts';
import { REPAIRED, type Kind } from './repositories/kind.ts';
import { tryKind } from './repositories/try-kind.ts';
import { ADDER, git, repository, write } from './repositories/testbed.ts';

describe('kinds of repositories', { timeout: 600_000 }, () => {
  it('are repaired, or rejected with a remedy, and no other byte changes', async () => {
    const rows = await repositoriesSuite.run({ full: false, seed: 1, onProgress: () => undefined });
    const broken = rows.filter(({ tried, held }) => held < tried);
    expect(broken.map(({ claim, gaps }) => ({ claim, gaps }))).toEqual([]);
    expect(rows.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThanOrEqual(30);
    expect(rows.flatMap(({ gaps }) => gaps).filter((gap) => !gap.startsWith('not tried here:'))).toEqual([]);
  });

  it('have unique names', () => {
    const names = Object.values(KINDS).flatMap((kinds) => kinds.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });
});

/** A program that repairs the code but damages the repository. */
const careless = (way: string): { program: string[] } => ({
  program: ['sh', join(import.meta.dirname, 'repositories/careless.sh'), way],
});

const STAGED: Kind = {
  name: 'commit, index and tree differ',
  make(testbed) {
    const root = repository(testbed, { ...ADDER, 'notes.txt': 'committed\n' });
    write(root, { 'notes.txt': 'staged\n' });
    git(testbed, root, 'add', 'notes.txt');
    write(root, { 'notes.txt': 'in the tree\n' });
    return { cwd: root, expected: REPAIRED };
  },
};

const CRLF: Kind = {
  name: 'CRLF',
  make(testbed) {
    const source = String(ADDER['src/add.js']).replaceAll('\n', '\r\n');
    const root = repository(testbed, { ...ADDER, 'src/add.js': source });
    chmodSync(join(root, 'src', 'add.js'), 0o640);
    return { cwd: root, expected: REPAIRED };
  },
};

const REFUSED: Kind = {
  name: 'no repository',
  make({ place }) {
    write(place, ADDER);
    return { cwd: place, expected: { exitCode: 4, messages: [/is not in a git repository/, /git init/] } };
  },
};

describe('a trial', () => {
  it('accepts a program that only repairs the bug', async () => {
    expect((await tryKind(STAGED, careless('honestly'))).problems).toEqual([]);
  });

  it.each([
    ['reports a repair that it did not make', 'claims', STAGED, /project\/src\/add\.js/],
    ['stages the changes of the user', 'stages', STAGED, /project\/\.git\/index/],
    ['commits the changes of the user', 'commits', STAGED, /project\/\.git\//],
    ['leaves a file behind', 'litters', STAGED, /\.ralph-tmp": nothing →/],
    ['changes the time of a file', 'touches', STAGED, /project\/package\.json/],
    ['converts CRLF to LF', 'unix', CRLF, /project\/src\/add\.js/],
    ['changes the mode of a file', 'modes', CRLF, /640 .* → .*600/],
    ['fails without a remedy', 'refuses', REFUSED, /does not match .*git init/],
    ['succeeds where it should fail', 'honestly', REFUSED, /exit code 0, not 4/],
  ] as const)('detects a program that %s', async (_, way, kind, problem) => {
    expect((await tryKind(kind, careless(way))).problems.join('\n')).toMatch(problem);
  });
});
