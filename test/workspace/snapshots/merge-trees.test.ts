import { describe, expect, test } from 'vitest';
import { mergeTrees } from '../../../src/workspace/snapshots/merge-trees.ts';
import { openWorkspace, temporaryRepository, write } from '../temporary-repository.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

describe('mergeTrees', () => {
  async function sides(ours: Record<string, string>, theirs: Record<string, string>) {
    const files = { 'src/a.txt': LINES, '.gitattributes': '*.txt merge=ours -text\n' };
    const { snapshots, workspace } = await openWorkspace(temporaryRepository(files));
    const treeWith = async (changes: Record<string, string>): Promise<string> => {
      write(workspace.root, changes);
      const tree = await workspace.checkpoint();
      await workspace.restore(workspace.base);
      return tree;
    };
    const trees = { ours: await treeWith(ours), theirs: await treeWith(theirs) };
    return { snapshots, merge: await mergeTrees({ snapshots, base: workspace.base, ...trees }) };
  }

  test('merges changes to different places, regardless of the repository’s merge attributes', async () => {
    const { snapshots, merge } = await sides(
      { 'src/a.txt': LINES.replace('one', 'ONE'), 'src/b.txt': 'b\n' },
      { 'src/a.txt': LINES.replace('five', 'FIVE'), 'src/c.txt': 'c\n' },
    );
    if (!merge.ok) throw new Error(merge.conflicts.join());
    expect((await snapshots.readFile(merge.tree, 'src/a.txt'))!.toString()).toBe(
      'ONE\ntwo\nthree\nfour\nFIVE\n',
    );
    const paths = (await snapshots.listFiles(merge.tree)).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['src/b.txt', 'src/c.txt']));
  });

  test('names the files that both sides changed in the same place', async () => {
    const { merge } = await sides(
      { 'src/a.txt': LINES.replace('one', 'ONE') },
      { 'src/a.txt': LINES.replace('one', 'UNO') },
    );
    expect(merge).toEqual({ ok: false, conflicts: ['src/a.txt'] });
  });

  test('does not merge binary files by lines', async () => {
    const { merge } = await sides({ 'src/a.txt': `\0${LINES}x` }, { 'src/a.txt': `${LINES}\0y` });
    expect(merge.ok).toBe(false);
  });
});
