import { expect, it } from 'vitest';
import { readReflected } from '../../../src/memory/analysis/reflected.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';
import { sampleAiwgRecord, sampleReflection } from '../sample.ts';

const FOLDER = '.aiwg/ralph/reflections';

it('takes the figures of each reflection, by loop, and names the invalid files', async () => {
  const root = temporaryFolder();
  const reflection = {
    ...sampleReflection({ loop: 'ralph-a', iteration: 1 }),
    previous_lessons_used: ['l-1'],
  };
  writeFiles(root, {
    [`${FOLDER}/ralph-a/002.json`]: reflection,
    [`${FOLDER}/ralph-a/003.json`]: '{"half',
    [`${FOLDER}/ralph-b/001.json`]: { ...sampleAiwgRecord(), loop_id: 'ralph-b' },
  });
  const { reflected, damaged } = await readReflected(root);
  expect([...reflected.keys()]).toEqual(['ralph-a', 'ralph-b']);
  expect(reflected.get('ralph-a')).toEqual([
    {
      iteration: 2,
      task: 'Fix the parser',
      writtenAt: Date.parse('2026-01-25T10:00:00.000Z'),
      reward: 0.5,
      rewardBefore: 0.5,
      category: 'edge_case_miss',
      confidence: reflection.self_reflection.confidence,
      shown: ['l-1'],
      failures: [],
    },
  ]);
  expect(reflected.get('ralph-b')?.[0]).toMatchObject({ shown: [], failures: [] });
  expect(damaged.map(({ path }) => path)).toEqual([`${FOLDER}/ralph-a/003.json`]);
});
