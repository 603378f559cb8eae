import { expect, it } from 'vitest';
import { addedReads, describeRead } from '../../../src/compose/gate/added-reads.ts';
import { openWorkspace, temporaryRepository, write } from '../../workspace/temporary-repository.ts';

/** New reads of `src/a.js` between two texts. */
async function added(before: string, now: string): Promise<string[]> {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository({ 'src/a.js': before }));
  write(workspace.root, { 'src/a.js': now });
  const tree = await snapshots.snapshot(workspace.root);
  return (await addedReads(workspace.base, tree, snapshots)).map(describeRead);
}

const RACE = 'export const first = (all) => Promise.race(all);\n';

it('a new race of promises counts, and one that was there does not', async () => {
  expect(await added('', `// first\n${RACE}`)).toEqual(['a race of promises at src/a.js:2']);
  expect(await added(RACE, `${RACE}export const a = 1;\n`)).toEqual([]);
  expect(await added('', 'export const all = (list) => Promise.all(list);\n')).toEqual([]);
});

it('a new read of the clock counts', async () => {
  expect(await added('', 'export const isLate = () => Date.now() > 5;\n')).toEqual([
    'the clock at src/a.js:1',
  ]);
});
