import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryEdits, readLedger } from '../../src/ci/memory-branch.ts';
import type { BranchFiles } from '../../src/workspace/deliver/branch-store.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';
import { renderRuledOut, summarizeRuledOut } from '../../src/loop/ruled-out.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { Reflection } from '../../src/schema/generated.ts';
import { evaluation, loopOptions, scriptedLoop } from '../support/scripted.ts';

const LOOP = 'ralph-make-add-add-20261122-abc123';

/** A reflection that a loop wrote. */
async function reflectionOf(loopId: string): Promise<Reflection> {
  const loop = scriptedLoop({ edits: ['t2'], judge: () => evaluation(1, 4) });
  await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
  return { ...loop.reflections[0]!, loop_id: loopId };
}

/** A memory branch with these files. */
function branchWith(files: Readonly<Record<string, string>>): BranchFiles {
  const content = (path: string): Buffer | undefined =>
    path in files ? Buffer.from(files[path]!) : undefined;
  return { tip: 'a'.repeat(40), read: async (path) => content(path), export: async () => {} };
}

test('stores only the reflections of the loop and memory files with known names', async () => {
  const folder = temporaryFolder();
  const good = await reflectionOf(LOOP);
  writeFiles(folder, {
    [`reflections/${LOOP}/001.json`]: good,
    [`reflections/${LOOP}/002.json`]: { ...good, loop_id: 'ralph-another-20261122-abc123' },
    [`reflections/${LOOP}/003.json`]: 'no JSON',
    [`reflections/${LOOP}/note.md`]: 'hello',
    'reflections/ralph-other-20261122-abc123/001.json': good,
    'memory/playbook.md': 'Round half up.\n',
    'memory/lessons.jsonl': '{"b":1}\n{"a":1}\n',
    'memory/evil.sh': 'rm -rf /\n',
    'ledger.json': { version: 1, tries: [], branches: [] },
  });
  symlinkSync('/etc/passwd', join(folder, 'memory', 'insights.json'));
  const edits = await memoryEdits(folder, LOOP, branchWith({ 'memory/lessons.jsonl': '{"a":1}\n' }));
  expect([...edits.keys()].sort()).toEqual([
    'memory/lessons.jsonl',
    'memory/playbook.md',
    `reflections/${LOOP}/001.json`,
  ]);
  expect(edits.get('memory/lessons.jsonl')!.toString()).toBe('{"a":1}\n{"b":1}\n');
});

test('carries ruled-out edits to the memory branch if they are those of the reflection', async () => {
  const folder = temporaryFolder();
  const good = await reflectionOf(LOOP);
  const text = renderRuledOut(['src/a.ts: 1 → 2']);
  const ruledOut = summarizeRuledOut({ tried: 1, edits: ['src/a.ts: 1 → 2'] });
  const record = (iteration: number): Reflection => ({
    ...good,
    iteration,
    actor_output: { ...good.actor_output, ruled_out: ruledOut },
  });
  const attempts = `state/.aiwg/ralph/loops/${LOOP}/attempts`;
  writeFiles(folder, {
    [`reflections/${LOOP}/001.json`]: record(0),
    [`reflections/${LOOP}/002.json`]: record(1),
    [`${attempts}/001/ruled-out.json`]: text,
    [`${attempts}/002/ruled-out.json`]: '["src/a.ts: other edits"]\n',
  });
  const edits = await memoryEdits(folder, LOOP, branchWith({}));
  expect([...edits.keys()].sort()).toEqual([
    `reflections/${LOOP}/001.json`,
    `reflections/${LOOP}/002.json`,
    `ruled-out/${LOOP}/001.json`,
  ]);
  expect(edits.get(`ruled-out/${LOOP}/001.json`)!.toString()).toBe(text);
});

test('ignores a folder in place of a file, and a file in place of a folder', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'memory', 'playbook.md'), { recursive: true });
  writeFiles(folder, { [`reflections/${LOOP}`]: 'a file' });
  expect((await memoryEdits(folder, LOOP, branchWith({}))).size).toBe(0);
});

test.each([
  ['invalid JSON', '{'],
  ['missing properties', '{"version":1}'],
  ['a malformed try', '{"version":1,"branches":[],"tries":[{"id":"../x"}]}'],
])('a ledger with %s is an error, so that no count restarts silently', async (_, text) => {
  await expect(readLedger(branchWith({ 'ledger.json': text }), 'ralph/memory')).rejects.toMatchObject({
    code: 'state_damaged',
    exitCode: 7,
  });
});

test('reads an empty ledger from a branch without one', async () => {
  expect(await readLedger(branchWith({}), 'ralph/memory')).toEqual({ version: 1, tries: [], branches: [] });
});
