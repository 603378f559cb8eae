import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunStore } from '../../src/state/run-store.ts';
import { readState } from '../../src/state/loops.ts';
import type { RunStore } from '../../src/ports.ts';
import type { LoopState } from '../../src/schema/generated.ts';

const MODULE = join(import.meta.dirname, '../../src/state/run-store.ts');
const LOOP = 'ralph-store';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-store-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (): RunStore => createRunStore({ repositoryRoot: root, loopId: LOOP });
const inLoop = (path: string): string => join(root, '.aiwg/ralph/loops', LOOP, path);
const never = (): Promise<never> => Promise.reject(new Error('was run again'));

const STATE: LoopState = {
  loop_id: LOOP,
  task: 'Fix it',
  status: 'running',
  actor: 'search',
  started_at: '2026-01-25T10:00:00.000Z',
  updated_at: '2026-01-25T10:00:01.000Z',
  iteration: 0,
  max_iterations: 5,
  reward: 0.5,
  baseline_reward: 0.5,
  base_tree: 'a'.repeat(40),
  options: {},
};

describe('a step', () => {
  const results: [string, unknown][] = [
    ['an object', { a: [1, 'ä', null], b: { c: true } }],
    ['a text', 'path/001.json'],
    ['null', null],
    ['undefined', undefined],
    ['a number', 0],
    ['an empty list', []],
  ];
  it.each(results)('that gave %s gives the same in a later process without running', async (_, value) => {
    expect(await open().step('1:act', () => Promise.resolve(value))).toEqual(value);
    expect(await open().step('1:act', never)).toEqual(value);
    expect(await open().step('1:kept', () => Promise.resolve(value), { artifact: 'a/kept.json' })).toEqual(
      value,
    );
    expect(await open().step('1:kept', never, { artifact: 'a/kept.json' })).toEqual(value);
  });

  it('returns the same value when it runs and when it is resumed', async () => {
    const value = { at: new Date(0), absent: undefined };
    const first: unknown = await open().step('x', () => Promise.resolve(value));
    expect(first).toStrictEqual({ at: '1970-01-01T00:00:00.000Z' });
    expect(await open().step('x', never)).toStrictEqual(first);
  });

  it('runs once if it is called twice at the same time', async () => {
    const store = open();
    let runs = 0;
    const run = async (): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ++runs;
    };
    expect(await Promise.all([store.step('x', run), store.step('x', run), store.step('x', run)])).toEqual([
      1, 1, 1,
    ]);
    expect(await store.step('x', run)).toBe(1);
  });

  it('is not in the journal if it failed, and may run again', async () => {
    const store = open();
    await expect(store.step('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store.step('x', () => Promise.resolve(7))).toBe(7);
  });

  it('stores a large result in its own file, and its path in the journal', async () => {
    const large = { text: 'x'.repeat(100_000) };
    await open().step('baseline', () => Promise.resolve(large), { artifact: 'attempts/001/evaluation.json' });
    expect(JSON.parse(readFileSync(inLoop('attempts/001/evaluation.json'), 'utf8'))).toEqual(large);
    const record = JSON.parse(readFileSync(inLoop('journal.jsonl'), 'utf8')) as { data: unknown };
    expect(record.data).toEqual({
      $artifact: 'attempts/001/evaluation.json',
      $sum: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
  });

  it.each([
    ['is gone', (path: string) => rmSync(path)],
    ['is damaged', (path: string) => writeFileSync(path, '{"half')],
    ['says something else', (path: string) => writeFileSync(path, '{"a":2}\n')],
  ])('names its result file if that %s', async (_, harm) => {
    await open().step('baseline', () => Promise.resolve({ a: 1 }), { artifact: 'baseline.json' });
    harm(inLoop('baseline.json'));
    const again = open().step('baseline', never);
    await expect(again).rejects.toMatchObject({ code: 'state_damaged', exitCode: 7 });
    await expect(again).rejects.toThrow(inLoop('baseline.json'));
  });

  it('survives a kill during the next step', () => {
    const script = `
      import { createRunStore } from ${JSON.stringify(MODULE)};
      const store = createRunStore({ repositoryRoot: ${JSON.stringify(root)}, loopId: '${LOOP}' });
      for (let i = 0; ; i++) {
        const value = await store.step('s' + i, async () => i);
        process.stdout.write(value + '\\n');
        if (i === 20) void store.step('last', async () => 'x'.repeat(3e6)).then(() => {});
        if (i === 20) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
      }
    `;
    const { stdout } = execaSync(process.execPath, ['--input-type=module', '-e', script], { reject: false });
    const acknowledged = stdout.trim().split('\n').length;
    expect(acknowledged).toBeGreaterThanOrEqual(21);
    const store = open();
    return Promise.all(
      Array.from({ length: acknowledged }, async (_, i) => expect(await store.step(`s${i}`, never)).toBe(i)),
    );
  });
});

describe('attach and saveState', () => {
  it('write files into the loop’s folder and return their path', async () => {
    const store = open();
    expect(await store.attach('attempts/001/patch.diff', 'diff')).toBe(
      `.aiwg/ralph/loops/${LOOP}/attempts/001/patch.diff`,
    );
    expect(readFileSync(inLoop('attempts/001/patch.diff'), 'utf8')).toBe('diff');
    await store.saveState(STATE);
    expect(await readState(root, LOOP)).toEqual(STATE);
  });

  it('remove temporary files of a killed run', async () => {
    mkdirSync(inLoop(''), { recursive: true });
    const orphan = `.state.json.${2 ** 22 + 7}-0123456789ab.ralph-tmp`;
    writeFileSync(inLoop(orphan), 'half');
    await open().saveState(STATE);
    expect(readdirSync(inLoop(''))).toEqual(['state.json']);
  });

  it('refuses an invalid state and keeps the old one', async () => {
    const store = open();
    await store.saveState(STATE);
    await expect(store.saveState({ ...STATE, reward: 2 })).rejects.toThrow('/reward');
    expect(await readState(root, LOOP)).toEqual(STATE);
  });

  it.each(['../x', '/etc/x', 'a/../../x', '', '.', 'a//b', 'a\0b', 'a\\..\\..\\x'])(
    'refuses the path %j',
    async (path) => {
      await expect(open().attach(path, 'x')).rejects.toThrow("is not in the loop's folder");
    },
  );

  it('refuse a folder that is a link out of the repository', async () => {
    const store = open();
    mkdirSync(inLoop(''), { recursive: true });
    symlinkSync(tmpdir(), inLoop('attempts'));
    await expect(store.attach('attempts/patch.diff', 'x')).rejects.toMatchObject({
      code: 'repository_unusable',
    });
  });
});

describe('createRunStore', () => {
  it.each(['../x', 'ralph-A', ''])('refuses %j as a loop id', (loopId) => {
    expect(() => createRunStore({ repositoryRoot: root, loopId })).toThrow(
      expect.objectContaining({ code: 'usage', exitCode: 2 }),
    );
  });

  it('writes the .gitignore on first use', () => {
    open();
    expect(readFileSync(join(root, '.aiwg/ralph/.gitignore'), 'utf8')).toContain('/loops/');
  });

  it('reports a damaged journal when it is opened', async () => {
    await open().step('a', () => Promise.resolve(1));
    writeFileSync(inLoop('journal.jsonl'), 'nonsense\n');
    expect(open).toThrow(expect.objectContaining({ code: 'state_damaged' }));
  });
});
