import { describe, expect, it } from 'vitest';
import { runLoop } from '../../src/loop/run.ts';
import { attemptStart } from '../../src/loop/attempt-start.ts';
import type { AttemptContext, ChangeSet } from '../../src/ports.ts';
import { attemptPrompt } from '../../src/prompts/attempt.ts';
import { renderPrompt } from '../../src/prompts/render.ts';
import { evaluation, loopOptions, scriptedLoop } from '../support/scripted.ts';

/** Numbers in 0..1 from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Files = Record<string, string>;
const filesOf = (tree: string): Files =>
  tree === 'base' ? { a: '', b: '', c: '' } : (JSON.parse(tree) as Files);

/** Files whose text differs, as a change set. */
function changesBetween(from: string, to: string): ChangeSet {
  const [before, after] = [filesOf(from), filesOf(to)];
  const files = Object.keys(after)
    .filter((path) => before[path] !== after[path])
    .map((path) => ({ path, kind: 'modified' as const, linesAdded: 1, linesDeleted: 1 }));
  const patch = files.map(({ path }) => `${path}: ${before[path]!} -> ${after[path]!}\n`).join('');
  return { files, linesAdded: files.length, linesDeleted: files.length, patch };
}

interface Seen {
  readonly tree: string;
  readonly context: AttemptContext;
}

/** A loop whose attempts change random files to random texts and get random rewards. */
async function randomLoop(seed: number) {
  const random = randomFrom(seed);
  const rewards = new Map<string, number>();
  const seen: Seen[] = [];
  const after: string[] = [];
  const edits = Array.from({ length: 7 }, () => (context: AttemptContext) => {
    const tree = loop.tree;
    seen.push({ tree, context });
    const changed = { ...filesOf(tree) };
    for (const path of Object.keys(changed))
      if (random() < 0.4) changed[path] = String(Math.floor(random() * 3));
    const next = random() < 0.1 ? tree : JSON.stringify(changed);
    after.push(next);
    return next;
  });
  const judge = (tree: string) => {
    if (!rewards.has(tree)) rewards.set(tree, tree === 'base' ? 2 : Math.floor(random() * 9));
    return evaluation(rewards.get(tree)!, 10);
  };
  const loop = scriptedLoop({ edits, judge });
  loop.ports.workspace.changes = (from, to) => Promise.resolve(changesBetween(from, to));
  const retryFrom = (['best', 'best', 'last', 'base'] as const)[Math.floor(random() * 4)]!;
  await runLoop(
    loop.ports,
    loopOptions({ maxIterations: 7, retryFrom, strategy: 'last-attempt+reflexion', omega: 5 }),
  );
  return { seen, after, rewards };
}

describe('what a prompt says about its tree', () => {
  it('is true of the tree after every sequence of kept and rolled back attempts', async () => {
    let [claims, present] = [0, 0];
    for (let seed = 1; seed <= 120; seed++) {
      const { seen, after, rewards } = await randomLoop(seed);
      for (const { tree, context } of seen) {
        const text = renderPrompt('context', attemptPrompt(context));
        const from = /You start from the tree of attempt (\d+)\./.exec(text)?.[1];
        if (context.iteration === 1) expect(text).not.toMatch(/You start from|rolled back/);
        else expect(tree).toBe(from === undefined ? 'base' : after[Number(from) - 1]);
        for (const [, attempt] of text.matchAll(
          /Attempt (\d+) was rolled back: its change is NOT in the files/g,
        )) {
          const before = seen[Number(attempt) - 1]!.tree;
          for (const { path } of changesBetween(before, after[Number(attempt) - 1]!).files) {
            expect(filesOf(tree)[path]).toBe(filesOf(before)[path]);
            claims += 1;
          }
        }
        const isPresent = (attempt: number): boolean => {
          const made = changesBetween(seen[attempt - 1]!.tree, after[attempt - 1]!).files;
          return (
            made.length > 0 &&
            made.every(({ path }) => filesOf(tree)[path] === filesOf(after[attempt - 1]!)[path])
          );
        };
        for (const [, attempt, said] of text.matchAll(
          /^## Reflection on attempt (\d+) \([^;)\n]*(; its change is in the files|; rolled back)?\)$/gm,
        )) {
          if (said?.includes('in the files') === true) {
            expect(isPresent(Number(attempt)), text).toBe(true);
            present += 1;
          }
          if (said?.includes('rolled back') === true)
            expect(context.start!.kept).not.toContain(Number(attempt));
        }
        const { reward } = context.evaluation;
        expect(reward).toBe(rewards.get(tree)! / 10);
        const last =
          /# Change that attempt (\d+) made\n\nOutcome: reward \S+( The change is in the files\.)?( The change was rolled back\.)?\n/.exec(
            text,
          );
        if (last === null) continue;
        const start = context.start!;
        expect(last[2] !== undefined).toBe(
          isPresent(Number(last[1])) && start.kept.includes(Number(last[1])),
        );
        expect(last[3] !== undefined).toBe(!start.kept.includes(Number(last[1])));
        if (last[2] !== undefined) expect(tree).toBe(after[Number(last[1]) - 1]);
      }
    }
    expect(claims).toBeGreaterThan(100);
    expect(present).toBeGreaterThan(40);
  });

  it('calls a change neither absent nor present if a later kept attempt touched its file', () => {
    const changes = changesBetween('base', JSON.stringify({ a: '1', b: '', c: '' }));
    const attempt = (iteration: number, startedFrom: number) => ({ iteration, startedFrom, changes });
    expect(attemptStart([attempt(1, 0), attempt(2, 0)], 2)).toEqual({
      attempt: 2,
      kept: [2],
      present: [2],
      rolledBack: [{ attempt: 1, isAbsent: false }],
    });
    expect(attemptStart([attempt(1, 0), attempt(2, 1)], 2)).toMatchObject({ kept: [1, 2], present: [2] });
    expect(attemptStart([attempt(1, 0), attempt(2, 1)], 1)).toEqual({
      attempt: 1,
      kept: [1],
      present: [1],
      rolledBack: [{ attempt: 2, isAbsent: true }],
    });
  });
});
