import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import { rankIdeas, withoutEqual } from '../../../src/repair/strategy/rank-ideas.ts';

const root = mkdtempSync(join(tmpdir(), 'ideas-'));
mkdirSync(join(root, 'pkg/src'), { recursive: true });
writeFileSync(join(root, 'pkg/src/a.js'), 'export const one = () => 1;\nexport const two = () => 3;\n');
afterAll(() => rmSync(root, { recursive: true }));

const CONTEXT = { root, project: { packageDir: 'pkg' } } as unknown as AttemptContext;
const FILES = ['pkg/src/a.js'];
const SUSPECTS = [{ file: 'pkg/src/a.js', regions: [{ start: 28, end: 55, line: 2, weight: 1 }] }];

function idea(file: string, before: string, after: string) {
  return { file, before, after };
}

describe('the ideas of a model', () => {
  it('go first at the most suspicious place, whatever their order, and may be named from the package', async () => {
    const ideas = [idea('src/a.js', '=> 1', '=> 7'), idea('pkg/src/a.js', '=> 3', '=> 2')];
    const ranked = await rankIdeas(CONTEXT, FILES, { ideas, suspects: SUSPECTS as never });
    expect(ranked.map(({ candidate }) => candidate.line)).toEqual([2, 1]);
    expect(ranked.every(({ candidate }) => candidate.edits[0]!.file === 'pkg/src/a.js')).toBe(true);
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'src/other.js', ''])(
    'are left out for %j, which no test reaches',
    async (file) => {
      const ideas = [idea(file, '=> 3', '=> 2')];
      expect(await rankIdeas(CONTEXT, FILES, { ideas, suspects: [] })).toEqual([]);
    },
  );

  it('are tried once if the search proposes the same edit', async () => {
    const ideas = [idea('src/a.js', '=> 3', '=> 2'), idea('src/a.js', '() => 3', '() => 2')];
    const ranked = await rankIdeas(CONTEXT, FILES, { ideas, suspects: [] });
    expect(withoutEqual(ranked)).toHaveLength(1);
  });
});

it('what a recent commit replaced counts as suspicious wherever the tests reach its file', async () => {
  const ideas = [idea('pkg/src/a.js', '=> 1', '=> 7')];
  const [first] = await rankIdeas(CONTEXT, FILES, { ideas, suspects: [], from: 'earlier-text' });
  expect(first).toMatchObject({ score: 1, candidate: { operator: 'earlier-text', line: 1 } });
});
