import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoriesSuite } from './repositories.ts';
import { KINDS } from './repositories/all.ts';
import { REPAIRED, type Kind } from './repositories/kind.ts';
import { tryKind } from './repositories/try-kind.ts';
import { ADDER, git, repository, write } from './repositories/ground.ts';

describe('kinds of repositories', { timeout: 600_000 }, () => {
  it('work, or are refused with the remedy, and not a byte changes that was not to', async () => {
    const rows = await repositoriesSuite.run({ full: false, onProgress: () => undefined });
    for (const { what, tried, held, gaps } of rows) expect([what, held, gaps]).toEqual([what, tried, gaps]);
    expect(rows.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThanOrEqual(50);
    expect(rows.flatMap(({ gaps }) => gaps).filter((gap) => !gap.startsWith('not tried here:'))).toEqual([]);
  });

  it('have names of their own', () => {
    const names = Object.values(KINDS).flatMap((kinds) => kinds.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });
});

/** A program that goes about it without much thought. */
const careless = (way: string): { program: string[] } => ({
  program: ['sh', join(import.meta.dirname, 'repositories/careless.sh'), way],
});

const STAGED: Kind = {
  name: 'commit, index and tree differ',
  make(ground) {
    const root = repository(ground, { ...ADDER, 'notes.txt': 'committed\n' });
    write(root, { 'notes.txt': 'staged\n' });
    git(ground, root, 'add', 'notes.txt');
    write(root, { 'notes.txt': 'in the tree\n' });
    return { cwd: root, expected: REPAIRED };
  },
};

const CRLF: Kind = {
  name: 'CRLF',
  make(ground) {
    const source = String(ADDER['src/add.js']).replaceAll('\n', '\r\n');
    const root = repository(ground, { ...ADDER, 'src/add.js': source });
    chmodSync(join(root, 'src', 'add.js'), 0o640);
    return { cwd: root, expected: REPAIRED };
  },
};

const REFUSED: Kind = {
  name: 'no repository',
  make({ place }) {
    write(place, ADDER);
    return { cwd: place, expected: { exitCode: 4, says: [/is not in a git repository/, /git init/] } };
  },
};

describe('the trial itself', () => {
  it('lets a program pass that only repairs the bug', async () => {
    expect((await tryKind(STAGED, careless('honestly'))).problems).toEqual([]);
  });

  it.each([
    ['claims a repair that is not there', 'claims', STAGED, /project\/src\/add\.js/],
    ['stages what it finds', 'stages', STAGED, /project\/\.git\/index/],
    ['commits what it finds', 'commits', STAGED, /project\/\.git\//],
    ['leaves a file behind', 'litters', STAGED, /\.ralph-tmp": nothing →/],
    ['touches a file', 'touches', STAGED, /project\/package\.json/],
    ['makes CRLF to LF', 'unix', CRLF, /project\/src\/add\.js/],
    ['changes the rights of a file', 'modes', CRLF, /640 .* → .*600/],
    ['fails for no reason that it says', 'refuses', REFUSED, /nothing says .*git init/],
    ['works where it was to refuse', 'honestly', REFUSED, /exit code 0, not 4/],
  ] as const)('sees a program that %s', async (_, way, kind, says) => {
    expect((await tryKind(kind, careless(way))).problems.join('\n')).toMatch(says);
  });
});
