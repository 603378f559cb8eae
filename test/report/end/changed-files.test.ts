import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/ports/tree.ts';
import { renderChanged } from '../../../src/report/end/changed-files.ts';
import { blankVerdict } from '../../../src/loop/verdict.ts';
import type { Verdict } from '../../../src/schema/generated.ts';

const FILES: readonly FileChange[] = [
  { path: 'src/cart.ts', kind: 'modified', linesAdded: 12, linesDeleted: 2 },
  { path: 'src/a.ts', kind: 'added', linesAdded: 3, linesDeleted: 0 },
  { path: 'old.ts', kind: 'deleted', linesAdded: 0, linesDeleted: 9 },
];

function shown(verdict: Partial<Verdict>, files = FILES): string[] {
  return renderChanged(files, { ...blankVerdict('passed', ''), ...verdict }, new Chalk({ level: 0 }));
}

describe('renderChanged', () => {
  it('renders one line per file, in columns', () => {
    expect(shown({ applied: 'tree' })).toEqual([
      '3 files, +15 −11, in your tree, uncommitted',
      'src/cart.ts  +12 −2',
      'src/a.ts      +3 −0 new',
      'old.ts        +0 −9 deleted',
    ]);
  });

  it.each([
    [{ applied: 'commit' }, 'committed on the current branch'],
    [{ applied: 'branch', branch: 'ralph/x' }, 'on the branch ralph/x; your tree is unchanged'],
    [{ applied: 'none', patch: 'attempts/001/patch.diff' }, 'not applied: attempts/001/patch.diff'],
    [{ applied: 'none' }, 'not applied'],
  ] as const)('renders the location of the result: %j', (verdict, place) => {
    expect(shown(verdict, FILES.slice(0, 1))[0]).toBe(`1 file, +12 −2, ${place}`);
  });

  it('is empty without changes, and shows at most eight files', () => {
    expect(shown({}, [])).toEqual([]);
    const many = Array.from({ length: 11 }, () => FILES[0]!);
    expect(shown({}, many)).toHaveLength(10);
    expect(shown({}, many).at(-1)).toBe('and 3 more');
  });
});
