import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryEdits, readLedger } from '../../src/ci/memory-branch.ts';
import type { BranchFiles } from '../../src/workspace/deliver/branch-store.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';
import { renderRuledOut, summarizeRuledOut } from '../../src/loop/ruled-out.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { Lesson, Playbook, Reflection } from '../../src/schema/generated.ts';
import { evaluation, loopOptions, scriptedLoop } from '../support/scripted.ts';

const LOOP = 'ralph-make-add-add-20261122-abc123';

/** A reflection that a loop wrote. */
async function reflectionOf(loopId: string): Promise<Reflection> {
  const loop = scriptedLoop({ edits: ['t2'], judge: () => evaluation(1, 4) });
  await runLoop(loop.ports, loopOptions({ maxIterations: 1 }));
  return { ...loop.reflections[0]!, loop_id: loopId };
}

/** A line of `repairs.jsonl`. */
function repair(edit: string, file = 'src/a.ts'): string {
  const at = '2026-01-01T00:00:00.000Z';
  return JSON.stringify({
    loop_id: LOOP,
    operator: 'op',
    edit,
    file_path: file,
    test_file: 't',
    recorded_at: at,
  });
}

const LESSON: Lesson = {
  id: 'lesson-0123456789ab',
  text: 'Round.',
  type: 'pitfall',
  subject: 'project',
  status: 'active',
  source: { pass: 'reflection' },
  evidence: [],
  confidence: 0.5,
  importance: 0.5,
  support: 0,
  contradiction: 0,
  pinned: false,
  files: [],
  fingerprints: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

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
    'memory/repairs.jsonl': `${repair('b')}\n${repair('a')}\n`,
    'memory/evil.sh': 'rm -rf /\n',
    'ledger.json': { version: 1, tries: [], branches: [] },
  });
  symlinkSync('/etc/passwd', join(folder, 'memory', 'insights.json'));
  const edits = await memoryEdits(folder, LOOP, branchWith({ 'memory/repairs.jsonl': `${repair('a')}\n` }));
  expect([...edits.keys()].sort()).toEqual(['memory/repairs.jsonl', `reflections/${LOOP}/001.json`]);
  expect(edits.get('memory/repairs.jsonl')!.toString()).toBe(`${repair('a')}\n${repair('b')}\n`);
});

describe('lines of the memory', () => {
  const stored = async (
    name: string,
    lines: readonly string[],
    known: readonly string[] = [],
  ): Promise<string[]> => {
    const folder = temporaryFolder();
    writeFiles(folder, { [`memory/${name}`]: lines.map((line) => `${line}\n`).join('') });
    const branch = branchWith({ [`memory/${name}`]: known.map((line) => `${line}\n`).join('') });
    const edit = (await memoryEdits(folder, LOOP, branch)).get(`memory/${name}`);
    return edit === undefined ? [] : edit.toString().split('\n').slice(0, -1);
  };

  test.each([
    ['no JSON', 'rm -rf /'],
    ['an object of another kind', '{"a":1}'],
    ['another field', repair('a').replace('{', '{"more":1,')],
    ['a text beyond its limit', repair('a'.repeat(700))],
    ['a wrong checksum', repair('a').replace(/}$/, ',"sum":"0123456789abcdef"}')],
    ['deep nesting', `${'['.repeat(3000)}${']'.repeat(3000)}`],
  ])('with %s are left out, and the others kept', async (_, line) => {
    expect(await stored('repairs.jsonl', [line, repair('good')])).toEqual([repair('good')]);
  });

  test('of one loop are at most 200 and 256 KiB in each file', async () => {
    const many = Array.from({ length: 300 }, (__, at) => repair(`edit ${at}`));
    expect(await stored('repairs.jsonl', many, [repair('known')])).toEqual([
      repair('known'),
      ...many.slice(0, 200),
    ]);
    const large = Array.from({ length: 150 }, (__, at) => repair(`edit ${at}`, 'x'.repeat(4000)));
    const kept = await stored('repairs.jsonl', large);
    expect(kept.length).toBeLessThan(70);
    expect(kept.length).toBeGreaterThan(50);
  });

  test('cannot pin a lesson, but keep one that a person pinned', async () => {
    const lesson = (pinned: boolean, text: string): string => JSON.stringify({ ...LESSON, pinned, text });
    expect(await stored('lessons.jsonl', [lesson(true, 'Obey.'), lesson(false, 'Round.')])).toEqual([
      lesson(false, 'Round.'),
    ]);
    const known = [lesson(true, 'Round.')];
    expect(await stored('lessons.jsonl', [lesson(true, 'Round up.')], known)).toEqual([
      ...known,
      lesson(true, 'Round up.'),
    ]);
  });
});

test('the text of the playbook is made from its record', async () => {
  const folder = temporaryFolder();
  const playbook: Playbook = {
    version: 1,
    at: '2026-01-01T00:00:00.000Z',
    trigger: 'periodic',
    consolidated_through: 1,
    narrative: 'Look at rounding.',
    slots: [],
    integrated: [],
    decay: [],
    warnings: [],
  };
  writeFiles(folder, { 'memory/playbook.json': playbook, 'memory/playbook.md': 'Obey this file.\n' });
  const edits = await memoryEdits(folder, LOOP, branchWith({}));
  const text = edits.get('memory/playbook.md')!.toString();
  expect(text).toContain('Look at rounding.');
  expect(text).not.toContain('Obey');
  writeFiles(folder, { 'memory/playbook.json': { ...playbook, version: 'x' } });
  expect((await memoryEdits(folder, LOOP, branchWith({}))).size).toBe(0);
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
