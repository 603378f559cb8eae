import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedLines, readRecentChanges } from '../../src/workspace/recent-changes.ts';
import { commitAll, fingerprintOf, git, repositoryWith, writeFiles } from '../support/repositories.ts';

/** Ten numbered lines, some of them changed. */
function lines(changed: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 10 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');
}

describe('readRecentChanges', () => {
  it('finds present lines of uncommitted work and of the last three commits', async () => {
    const root = repositoryWith({ 'src/a.ts': lines({ 1: 'older' }), 'notes.md': 'a\n' });
    writeFiles(root, { 'src/a.ts': lines() });
    commitAll(root, 'too old to count');
    for (const line of [8, 9, 10]) {
      writeFiles(root, {
        'src/a.ts': lines({ 8: 'new', 9: line > 8 ? 'new' : '', 10: line > 9 ? 'new' : '' }),
      });
      commitAll(root);
    }
    writeFiles(root, {
      'src/a.ts': `first\n${lines({ 4: 'new', 8: 'new', 9: 'new', 10: 'new' })}`,
      'notes.md': 'b\n',
    });
    const before = fingerprintOf(root);
    expect([...(await readRecentChanges(root))]).toEqual([
      [
        'src/a.ts',
        [
          { first: 1, last: 1 },
          { first: 5, last: 5 },
          { first: 9, last: 11 },
        ],
      ],
    ]);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('is empty for a single commit and without a repository', async () => {
    const root = repositoryWith({ 'src/a.ts': lines() });
    expect(await readRecentChanges(root)).toEqual(new Map());
    expect(await readRecentChanges('/')).toEqual(new Map());
  });

  it("runs no program that the repository's configuration names", async () => {
    const root = repositoryWith({ 'src/a.ts': lines(), '.gitattributes': '*.ts filter=own diff=own\n' });
    for (const name of ['filter.own.clean', 'filter.own.smudge', 'diff.own.textconv', 'diff.external']) {
      git(root, 'config', name, `touch ${join(root, 'ran')}; cat`);
    }
    git(root, 'config', 'filter.own.required', 'true');
    writeFiles(root, { 'src/a.ts': lines({ 2: 'new' }) });
    expect([...(await readRecentChanges(root))]).toEqual([['src/a.ts', [{ first: 2, last: 2 }]]]);
    expect(existsSync(join(root, 'ran'))).toBe(false);
    git(root, 'diff', '--no-ext-diff');
    expect(existsSync(join(root, 'ran'))).toBe(true);
  });
});

describe('changedLines', () => {
  it('reads names from headers only, and finds the lines around deleted ones', () => {
    const diff = [
      'diff --git a/a b.ts b/a b.ts',
      '--- a/a b.ts\t',
      '+++ b/a b.ts\t',
      '@@ -3,2 +2,0 @@ function f() {',
      '-one',
      '-two',
      '@@ -9 +7 @@',
      '--- a/old.ts',
      '+++ b/new.ts',
      'diff --git a/gone.ts b/gone.ts',
      'deleted file mode 100644',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
    ].join('\n');
    expect([...changedLines(diff)]).toEqual([
      [
        'a b.ts',
        [
          { first: 2, last: 3 },
          { first: 7, last: 7 },
        ],
      ],
    ]);
  });
});
