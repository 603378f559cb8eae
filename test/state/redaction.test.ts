import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemory } from '../../src/memory/episodes/episodes.ts';
import { rememberRepairs } from '../../src/memory/recall/repairs.ts';
import type { RunStore } from '../../src/ports.ts';
import { createRunStore } from '../../src/state/run-store.ts';
import { readState } from '../../src/state/loops.ts';
import { REDACTED } from '../../src/platform/redaction/redact.ts';
import { sampleReflection } from '../memory/sample.ts';

const LOOP = 'ralph-secrets';
/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const VALUE = 'tr0ub4dor-and-3';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-secrets-'));
  process.env['RALPH_TEST_SECRET'] = VALUE;
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  delete process.env['RALPH_TEST_SECRET'];
});

const open = (): RunStore => createRunStore({ repositoryRoot: root, loopId: LOOP });
const inLoop = (path: string): string => readFileSync(join(root, '.aiwg/ralph/loops', LOOP, path), 'utf8');

/** Everything that is stored, as one text. */
function stored(): string {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

describe('the run store', () => {
  it('redacts secrets in journal and artifacts, but not in the running loop', async () => {
    const said = { text: `${TOKEN} and ${VALUE}`, tree: 'a'.repeat(40) };
    expect(await open().step('1:act', () => Promise.resolve(said))).toEqual(said);
    await open().step('baseline', () => Promise.resolve(said), { artifact: 'baseline.json' });
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${VALUE}`));
    const read = await open().step('1:act', () => Promise.reject(new Error('was run again')));
    expect(read).toEqual({ text: `${REDACTED} and ${REDACTED}`, tree: said.tree });
  });

  it('redacts secrets in the state, which stays valid', async () => {
    await open().saveState({
      ...{ loop_id: LOOP, task: `Use ${TOKEN}`, status: 'running', actor: 'command' },
      ...{ started_at: '2026-01-25T10:00:00.000Z', updated_at: '2026-01-25T10:00:01.000Z' },
      ...{ iteration: 0, max_iterations: 5, reward: 0, baseline_reward: 0, base_tree: 'b'.repeat(40) },
      options: { config: { command: `agent --token ${VALUE}` } },
    });
    expect(await readState(root, LOOP)).toMatchObject({
      task: `Use ${REDACTED}`,
      options: { config: { command: `agent --token ${REDACTED}` } },
    });
    expect(stored()).not.toMatch(new RegExp(`${TOKEN}|${VALUE}`));
  });

  it('redacts only values of variables in a diff', async () => {
    const diff = (value: string): string => `+const token = '${TOKEN}';\n+const known = '${value}';\n`;
    await open().attach('attempts/001/patch.diff', diff(VALUE));
    expect(inLoop('attempts/001/patch.diff')).toBe(diff(REDACTED));
  });

  it('keeps JSON Lines valid', async () => {
    const lines = [{ message: `"${TOKEN}"\n` }, { password: VALUE }].map((line) => JSON.stringify(line));
    await open().attach('attempts/001/trajectory.jsonl', `${lines.join('\n')}\n`);
    const read = inLoop('attempts/001/trajectory.jsonl').trimEnd().split('\n');
    expect(read.map((line) => JSON.parse(line) as unknown)).toEqual([
      { message: `"${REDACTED}"\n` },
      { password: REDACTED },
    ]);
  });
});

describe('memory', () => {
  it('redacts secrets in a reflection, which stays valid', async () => {
    const damaged: unknown[] = [];
    const memory = createMemory({ repositoryRoot: root, onDamaged: (file) => damaged.push(file) });
    await memory.remember(
      sampleReflection({ loop: LOOP, lessons: [`Never print ${TOKEN}.`, `Nor ${VALUE}.`] }),
    );
    const [reflection] = await memory.episodes(LOOP);
    expect(reflection!.self_reflection.lessons_learned).toEqual([
      `Never print ${REDACTED}.`,
      `Nor ${REDACTED}.`,
    ]);
    expect(damaged).toEqual([]);
  });

  it('redacts secrets in a repair', async () => {
    const repair = {
      loop_id: LOOP,
      operator: 'string',
      edit: `src/a.js: 'a' → '${TOKEN}' @0`,
      file_path: 'src/a.js',
      test_file: 'test/a.test.js',
      recorded_at: '2026-01-25T10:00:00.000Z',
    };
    await rememberRepairs(root, [repair]);
    expect(stored()).toContain(`'a' → '${REDACTED}'`);
  });
});
