import { describe, expect, it } from 'vitest';
import { createRulesReflector } from '../../src/agents/reflectors/rules.ts';
import { runLoop } from '../../src/loop/run.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import type { ChangeSet } from '../../src/ports/tree.ts';
import { attemptPrompt } from '../../src/prompts/attempt.ts';
import { renderPrompt } from '../../src/prompts/render.ts';
import type { Action, Diagnostic, Evaluation, TestCase, Trajectory } from '../../src/schema/generated.ts';
import { evaluation, loopOptions, scriptedLoop, trajectory } from '../support/scripted.ts';

/** Prompts of the command actor and of agents, of `react`, and of `cot`. */
const TEMPLATES = ['attempt', 'context', 'cot'] as const;
const ACTORS = ['search', 'command', 'model'] as const;
type ActorName = (typeof ACTORS)[number];

/** A tree is a JSON text of values, one a file; the test of a file passes if the value is 2. */
type Values = Record<string, number>;
const BASE: Values = { a: 0, b: 1, c: 0 };
const valuesOf = (tree: string): Values => (tree === 'base' ? BASE : (JSON.parse(tree) as Values));
const treeOf = (values: Values): string =>
  JSON.stringify(values) === JSON.stringify(BASE) ? 'base' : JSON.stringify(values);
const pathOf = (name: string): string => `src/${name}.js`;
const sourceOf = (value: number): string => `export const value = ${value};`;

/** Numbers in 0..1 from a seed (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

function changedNames(from: string, to: string): string[] {
  const [before, after] = [valuesOf(from), valuesOf(to)];
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}

function changesBetween(from: string, to: string): ChangeSet {
  const names = changedNames(from, to);
  const patch = names.map((name) => {
    const path = pathOf(name);
    const sides = `-${sourceOf(valuesOf(from)[name]!)}\n+${sourceOf(valuesOf(to)[name]!)}\n`;
    return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${sides}`;
  });
  return {
    files: names.map((name) => ({
      path: pathOf(name),
      kind: 'modified',
      linesAdded: 1,
      linesDeleted: 1,
    })),
    linesAdded: names.length,
    linesDeleted: names.length,
    patch: patch.join(''),
  };
}

const titleOf = (name: string): string => `value of ${name} is not odd`;

function judge(tree: string): Evaluation {
  const values = Object.entries(valuesOf(tree));
  const failing = values.filter(([, value]) => value !== 2);
  const diagnostics = failing.map(([name, value]): Diagnostic => ({
    type: 'test_failure',
    severity: 'error',
    check: 'tests',
    file: `test/${name}.test.js`,
    line: 4,
    rule: titleOf(name),
    test_id: `test/${name}.test.js > ${titleOf(name)}`,
    message: `Expected values to be strictly equal: ${value} !== 2`,
    expected: '2',
    received: String(value),
    fingerprint: `${name.codePointAt(0)!.toString(16)}${value}`.padStart(12, '0'),
  }));
  const tests = values.map(([name, value]): TestCase => ({
    id: `test/${name}.test.js > ${titleOf(name)}`,
    name: titleOf(name),
    status: value === 2 ? 'passed' : 'failed',
  }));
  return evaluation(values.length - failing.length, values.length, { diagnostics, tests });
}

/** What an actor of the kind records about a change. */
function recordOf(actor: ActorName, from: string, to: string): Trajectory {
  const { files } = changesBetween(from, to);
  if (actor === 'command') return { ...trajectory(), actor };
  const actions = files.map(({ path }): Action => {
    const description = actor === 'search' ? `Accepted edit: ${path}` : `edit_file ${path}`;
    return {
      type: 'code_modification',
      description,
      file_path: path,
      timestamp: '2026-01-01T00:00:00.000Z',
    };
  });
  const ruled_out = { tried: actor === 'search' ? 3 : 0, edits: [] };
  return { ...trajectory(), actor, actions, ruled_out };
}

interface Attempt {
  readonly from: string;
  readonly to: string;
  readonly context: AttemptContext;
}

async function randomLoop(seed: number, actor: ActorName): Promise<Attempt[]> {
  const random = randomFrom(seed);
  const attempts: Attempt[] = [];
  const edit = (context: AttemptContext): string => {
    const values = { ...valuesOf(loop.tree) };
    for (const name of Object.keys(values)) if (random() < 0.4) values[name] = Math.floor(random() * 3);
    const to = treeOf(values);
    attempts.push({ from: loop.tree, to, context });
    return to;
  };
  const loop = scriptedLoop({ edits: Array.from({ length: 7 }, () => edit), judge });
  const { attempt } = loop.ports.actor;
  const ports = {
    ...loop.ports,
    reflector: createRulesReflector(),
    actor: {
      name: actor,
      async attempt(context: AttemptContext) {
        await attempt(context);
        const { from, to } = attempts.at(-1)!;
        return recordOf(actor, from, to);
      },
    },
  };
  ports.workspace.changes = (from, to) => Promise.resolve(changesBetween(from, to));
  const retryFrom = (['best', 'best', 'last', 'base'] as const)[Math.floor(random() * 4)]!;
  const over = { maxIterations: 7, retryFrom, strategy: 'last-attempt+reflexion', omega: 7 } as const;
  await runLoop(ports, loopOptions(over));
  return attempts;
}

/** Every claim of a prompt about trees: a pattern, and whether a match is true in the loop. */
interface Facts {
  readonly attempts: readonly Attempt[];
  /** The attempt that the text is about, 1-based. */
  readonly about: number;
  /** The tree that the prompt is for. */
  readonly tree: string;
}
const treeAfter = ({ attempts }: Facts, attempt: number): string =>
  attempt === 0 ? 'base' : attempts[attempt - 1]!.to;
const isSame = (one: string, other: string): boolean => changedNames(one, other).length === 0;
const namesIn = (list: string): string[] =>
  [...list.matchAll(/value of (\w) is not odd/g)].map((match) => match[1]!);

type Rule = readonly [pattern: RegExp, isTrue: (facts: Facts, match: readonly string[]) => boolean];

function movement(isTrue: (before: number, after: number) => boolean): Rule[1] {
  return ({ attempts, about }, [, list]) => {
    const { from, to } = attempts[about - 1]!;
    const names = namesIn(list!);
    return names.length > 0 && names.every((name) => isTrue(valuesOf(from)[name]!, valuesOf(to)[name]!));
  };
}

function counted(isTrue: (before: number, after: number) => boolean): Rule[1] {
  return ({ attempts, about }, [, count]) => {
    const { from, to } = attempts[about - 1]!;
    const names = Object.keys(valuesOf(to));
    return (
      names.filter((name) => isTrue(valuesOf(from)[name]!, valuesOf(to)[name]!)).length === Number(count)
    );
  };
}

const RULES: readonly Rule[] = [
  [
    /^\d+ \([^;)\n]*; its change is in the files\)$/gm,
    ({ attempts, about, tree }) => {
      const { from, to } = attempts[about - 1]!;
      const names = changedNames(from, to);
      return names.length > 0 && names.every((name) => valuesOf(tree)[name] === valuesOf(to)[name]);
    },
  ],
  [/Fixed: ([^.]+)\./g, movement((before, after) => before !== 2 && after === 2)],
  [/Failing as before: (\d+)\./g, counted((before, after) => before === after && after !== 2)],
  [
    /Failing differently: (\d+)\./g,
    counted((before, after) => before !== after && before !== 2 && after !== 2),
  ],
  [/New: ([^.]+)\./g, movement((before, after) => before === 2 && after !== 2)],
  [
    /In attempt (\d+) I changed `(.*?)` to `(.*?)` at src\/(\w)\.js:1/g,
    ({ attempts }, [, attempt, before, after, name]) => {
      const { from, to } = attempts[Number(attempt) - 1]!;
      return before === sourceOf(valuesOf(from)[name!]!) && after === sourceOf(valuesOf(to)[name!]!);
    },
  ],
  [
    /In attempt (\d+) I changed no file/g,
    ({ attempts }, [, n]) => attempts[Number(n) - 1]!.from === attempts[Number(n) - 1]!.to,
  ],
  [/the tree is the original one again/gi, (facts) => isSame(treeAfter(facts, facts.about), 'base')],
  [
    /the tree is the same as after attempt (\d+)/gi,
    (facts, [, n]) => isSame(treeAfter(facts, facts.about), treeAfter(facts, Number(n))),
  ],
  [
    /the same change as in attempt (\d+)/gi,
    ({ attempts, about }, [, n]) => {
      const [one, other] = [attempts[about - 1]!, attempts[Number(n) - 1]!];
      return changesBetween(one.from, one.to).patch === changesBetween(other.from, other.to).patch;
    },
  ],
  [
    /this edit was not kept: the tree goes back to that of attempt (\d+)/gi,
    (facts, [, n]) => isSame(facts.attempts[facts.about]!.from, treeAfter(facts, Number(n))),
  ],
  [
    /this edit was not kept: the tree goes back to the original one/gi,
    (facts) => isSame(facts.attempts[facts.about]!.from, 'base'),
  ],
  [
    /the failure to work on there: the test "value of (\w) is not odd" at \S+ expected 2 but received (\d)/g,
    ({ attempts, about }, [, name, value]) => valuesOf(attempts[about]!.from)[name!] === Number(value),
  ],
  [
    /(?<!work on there: )[Tt]he test "value of (\w) is not odd" at \S+ expected 2 but received (\d)/g,
    (facts, [, name, value]) => valuesOf(treeAfter(facts, facts.about))[name!] === Number(value),
  ],
  [
    /^[Tt]he test "value of (\w) is not odd" at [^]*?^It failed in that way after attempts? ([\d, and]+) too/gm,
    (facts, [, name, list]) =>
      [...list!.matchAll(/\d+/g)].every(
        ([n]) =>
          valuesOf(treeAfter(facts, Number(n)))[name!] === valuesOf(treeAfter(facts, facts.about))[name!],
      ),
  ],
];

/** The texts of the reflections in a prompt, each with its attempt. */
function reflectionsIn(text: string): { about: number; said: string }[] {
  return text
    .split(/^## Reflection on attempt /m)
    .slice(1)
    .map((part) => ({ about: Number.parseInt(part, 10), said: part.split(/^# /m)[0]! }));
}

/** Failures and values under the results, and the patch of the attempt before. */
function expectTrueState(text: string, attempts: readonly Attempt[], { from: tree, context }: Attempt): void {
  const shown = text.slice(text.indexOf('# Check results'));
  const seen = [...shown.matchAll(/^## tests: `value of (\w) is not odd[^]*?^Received: (\d)$/gm)];
  expect(Object.fromEntries(seen.map((match) => [match[1]!, Number(match[2])]))).toEqual(
    Object.fromEntries(Object.entries(valuesOf(tree)).filter(([, value]) => value !== 2)),
  );
  const start = /You start from the tree of attempt (\d+)\./.exec(text)?.[1];
  if (context.iteration === 1) expect(text).not.toMatch(/You start from|rolled back/);
  else expect(isSame(tree, start === undefined ? 'base' : attempts[Number(start) - 1]!.to)).toBe(true);
  for (const match of text.matchAll(/Attempt (\d+) was rolled back: its change is NOT in the files/g)) {
    const { from, to } = attempts[Number(match[1]) - 1]!;
    for (const name of changedNames(from, to)) expect(valuesOf(tree)[name]).toBe(valuesOf(from)[name]);
  }
  const last =
    /# Change that attempt (\d+) made\n\nOutcome: reward (\S+?)\.( The change is in the files\.)?[ \n]/.exec(
      text,
    );
  if (last === null) return;
  const made = attempts[Number(last[1]) - 1]!;
  expect(last[2]).toBe(judge(made.to).reward.toFixed(3));
  for (const row of changesBetween(made.from, made.to).patch.trim().split('\n')) expect(text).toContain(row);
  if (last[3] !== undefined)
    for (const name of changedNames(made.from, made.to))
      expect(valuesOf(tree)[name]).toBe(valuesOf(made.to)[name]);
}

describe('what the prompts of every actor say about trees', () => {
  it('is true of them in random sequences of kept and rolled back attempts', async () => {
    const checked = RULES.map(() => 0);
    for (let seed = 1; seed <= 60; seed++) {
      const attempts = await randomLoop(seed, ACTORS[seed % 3]!);
      for (const [index, attempt] of attempts.entries()) {
        const template = TEMPLATES[(index + Math.floor(seed / 3)) % 3]!;
        const text = renderPrompt(template, attemptPrompt(attempt.context));
        expectTrueState(text, attempts, attempt);
        for (const { about, said } of reflectionsIn(text))
          for (const [at, [pattern, isTrue]] of RULES.entries())
            for (const match of said.matchAll(pattern)) {
              if (!isTrue({ attempts, about, tree: attempt.from }, match))
                throw new Error(`untrue in loop ${seed}: "${match[0]}" in:\n${text}`);
              checked[at]! += 1;
            }
      }
    }
    expect(
      checked.every((count) => count > 0),
      checked.join(' '),
    ).toBe(true);
    expect(checked.reduce((sum, count) => sum + count)).toBeGreaterThan(2000);
  });

  it('notices a value that the tree does not have', async () => {
    const attempts = await randomLoop(3, 'command');
    const last = attempts.at(-1)!;
    const evaluated = judge(JSON.stringify({ a: 7, b: 7, c: 7 }));
    const text = renderPrompt('attempt', attemptPrompt({ ...last.context, evaluation: evaluated }));
    expect(() => expectTrueState(text, attempts, last)).toThrow();
  });
});
