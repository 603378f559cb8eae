import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCotActor } from '../../src/agents/cot/index.ts';
import { createFixersFirst } from '../../src/agents/fixers-first.ts';
import { createFixersActor } from '../../src/repair/index.ts';
import type { WorkEvent } from '../../src/events.ts';
import type { Actor } from '../../src/ports.ts';
import type { AttemptContext } from '../../src/ports/attempt.ts';
import type { Trajectory } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { planFor } from '../support/checks.ts';
import { contextFor, createRepo } from '../support/repair-repo.ts';
import type { Files } from '../support/repositories.ts';
import { SCRIPTED_USAGE, scriptedModel } from '../support/scripted-model.ts';
import { evaluation, failure, trajectory } from '../support/scripted.ts';

const CHECKS = [
  planFor('node', { weight: 0.6 }),
  planFor('tsc', { config: 'tsconfig.json', weight: 0.2 }),
  planFor('eslint', { weight: 0.2 }),
];
const COMPILER = {
  strict: true,
  target: 'ES2022',
  module: 'NodeNext',
  types: [],
  noEmit: true,
  skipLibCheck: true,
};
const FILES: Files = {
  'tsconfig.json': { compilerOptions: { ...COMPILER, checkJs: false }, include: ['src'] },
  'eslint.config.js':
    "export default [{ files: ['**/*.js'], rules: { 'no-var': 'error', 'prefer-const': 'error' } }];\n",
  'src/add.ts': 'export function add(left: number, right: number): number {\n  return left + rihgt;\n}\n',
  'src/limit.js': 'var limit = 3;\nexport { limit };\n',
  'test/limit.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { limit } from '../src/limit.js';\ntest('is four', () => assert.equal(limit, 4));\n",
};
const GREEN_TEST = {
  'test/limit.test.js': (FILES['test/limit.test.js'] as string).replace('limit, 4', 'limit, 3'),
};

interface Run {
  readonly context: AttemptContext;
  readonly events: WorkEvent[];
}

async function open(files: Files, over: Partial<AttemptContext> = {}): Promise<Run> {
  const events: WorkEvent[] = [];
  const seen = await contextFor(createRepo(files), { checks: CHECKS });
  return { events, context: { ...seen, onWork: (event) => void events.push(event), ...over } };
}

/** An actor that only records its contexts. */
function recording(
  give: () => Trajectory = () => trajectory(),
): Actor & { readonly given: AttemptContext[] } {
  const given: AttemptContext[] = [];
  return {
    name: 'recording',
    given,
    attempt(context) {
      given.push(context);
      return Promise.resolve(give());
    },
  };
}

const checksIn = ({ evaluation: { diagnostics } }: AttemptContext): string[] => [
  ...new Set(diagnostics.map(({ check }) => check)),
];

describe('fixers before a model', () => {
  it('fix types and lint; the model gets only the test that still fails', { timeout: 120_000 }, async () => {
    const { context, events } = await open(FILES);
    expect(checksIn(context)).toEqual(['tests', 'types', 'lint']);
    const model = scriptedModel([
      'src/limit.js\n<<<<<<< SEARCH\nconst limit = 3;\n=======\nconst limit = 4;\n>>>>>>> REPLACE\n',
    ]);
    const cot = createCotActor({ client: model, repository: context.root });
    const result = await createFixersFirst(createFixersActor(), cot).attempt(context);

    expect(readFileSync(join(context.root, 'src/add.ts'), 'utf8')).toContain('left + right;');
    expect(readFileSync(join(context.root, 'src/limit.js'), 'utf8')).toBe(
      'const limit = 4;\nexport { limit };\n',
    );
    const { prompt } = model.asked[0]!;
    expect(prompt).toContain('- types: pass.');
    expect(prompt).toContain('- lint: pass.');
    expect(prompt).toContain('## tests: `is four`');
    expect(prompt).not.toMatch(/## types|## lint|rihgt|no-var/);
    expect(prompt).toContain('(reward 0.400)');
    expect(result).toMatchObject({ actor: 'cot', outcome: 'claimed_done', usage: SCRIPTED_USAGE });
    expect(result.actions.map(({ file_path }) => file_path)).toEqual([
      'src/add.ts',
      'src/limit.js',
      'src/limit.js',
    ]);
    expect(result.strategy).toMatch(/^Fixers first, 2 actions; then: One answer/);
    expect(events.filter(({ type }) => type === 'action')).toHaveLength(3);
    expect(validate('trajectory', result)).toMatchObject({ ok: true });
  });

  it('call no model if nothing fails after them', { timeout: 120_000 }, async () => {
    const { context, events } = await open({ ...FILES, ...GREEN_TEST });
    expect(checksIn(context)).toEqual(['types', 'lint']);
    const model = scriptedModel([]);
    const actor = createFixersFirst(
      createFixersActor(),
      createCotActor({ client: model, repository: context.root }),
    );
    const result = await actor.attempt(context);
    expect(model.asked).toEqual([]);
    expect(result).toMatchObject({ outcome: 'edited', usage: { input_tokens: 0, cost_usd: 0 } });
    expect(result.strategy).toBe('Fixers of the linter and the type checker, and nothing else.');
    expect(events.map(({ type }) => type)).toEqual(['action', 'action']);
    for (const name of ['types', 'lint', 'tests'])
      expect(await context.bench.run(name, { signal: context.signal })).toMatchObject({ status: 'pass' });
  });

  it('do not change a tree where only tests fail, and are not run for them again', async () => {
    const { context } = await open({
      'test/limit.test.js': FILES['test/limit.test.js']!,
      'src/limit.js': 'export const limit = 3;\n',
    });
    const onlyTests = { ...context, project: { ...context.project, checks: [CHECKS[0]!] } };
    const actor = recording();
    let asked = 0;
    const fixers = createFixersActor();
    const counted: Actor = { name: 'fixers', attempt: (given) => ((asked += 1), fixers.attempt(given)) };
    const first = createFixersFirst(counted, actor);
    await first.attempt(onlyTests);
    await first.attempt(onlyTests);
    expect(asked).toBe(1);
    expect(actor.given.map((given) => given.evaluation)).toEqual([
      onlyTests.evaluation,
      onlyTests.evaluation,
    ]);
  });
});

describe('the first actor', () => {
  const red = evaluation(0, 2);
  const contextOf = (over: Partial<AttemptContext> = {}): AttemptContext & { readonly told: WorkEvent[] } => {
    const told: WorkEvent[] = [];
    return {
      evaluation: red,
      project: { checks: [planFor('node')] },
      signal: new AbortController().signal,
      told,
      onWork: (event: WorkEvent) => void told.push(event),
      onProgress: () => {},
      bench: { run: () => Promise.reject(new Error('no bench here')), testsOf: () => [] },
      ...over,
    } as unknown as AttemptContext & { readonly told: WorkEvent[] };
  };
  const edited = (over: Partial<Trajectory> = {}): Trajectory => ({
    ...trajectory('edited'),
    actions: [{ type: 'code_modification', description: 'mended', file_path: 'src/a.ts' }],
    ...over,
  });

  it('is not run if nothing fails', async () => {
    const fixers = recording();
    const actor = recording();
    await createFixersFirst(fixers, actor).attempt(contextOf({ evaluation: evaluation(2, 2) }));
    expect([fixers.given.length, actor.given.length]).toEqual([0, 1]);
  });

  it('is run again for other failures', async () => {
    const fixers = recording(() => trajectory('gave_up'));
    const first = createFixersFirst(fixers, recording());
    const other = evaluation(0, 1, { diagnostics: [{ ...failure(7), check: 'lint' }] });
    for (const seen of [red, other, red, other]) await first.attempt(contextOf({ evaluation: seen }));
    expect(fixers.given.map((given) => given.evaluation)).toEqual([red, other]);
  });

  it('is run again for the same failures if it could fix some', async () => {
    const fixers = recording(() => edited());
    const first = createFixersFirst(fixers, recording());
    await first.attempt(contextOf());
    await first.attempt(contextOf());
    expect(fixers.given).toHaveLength(2);
  });

  it('may throw without ending the attempt, and is not run for the same failures again', async () => {
    const actor = recording();
    const context = contextOf();
    let asked = 0;
    const fixers: Actor = {
      name: 'fixers',
      attempt: () => {
        asked += 1;
        return Promise.reject(new Error('it broke'));
      },
    };
    const first = createFixersFirst(fixers, actor);
    expect(await first.attempt(context)).toEqual(trajectory());
    await first.attempt(context);
    expect(asked).toBe(1);
    expect(context.told).toEqual([{ type: 'warning', text: 'The fixers failed and were skipped: it broke' }]);
  });

  it('leaves the result of a check that cannot be run after it', async () => {
    const actor = recording();
    const context = contextOf();
    await createFixersFirst(
      recording(() => edited()),
      actor,
    ).attempt(context);
    expect(actor.given[0]!.evaluation).toEqual(red);
    expect(context.told.at(-1)).toMatchObject({
      type: 'warning',
      text: expect.stringContaining('no bench here') as string,
    });
  });

  it('has its cost, time and findings included in the attempt', async () => {
    const ruled_out = { tried: 5, edits: ['e'] };
    const fixers = recording(() => ({ ...trajectory('gave_up'), ruled_out }));
    const result = await createFixersFirst(fixers, recording()).attempt(contextOf());
    expect(result).toMatchObject({
      usage: { input_tokens: 20, output_tokens: 2, cost_usd: 1 },
      duration_ms: 2,
      ruled_out,
    });
  });

  it('ends the attempt if it was stopped', async () => {
    const stop = new AbortController();
    const actor = recording();
    const fixers = recording(() => (stop.abort(), edited()));
    const result = await createFixersFirst(fixers, actor).attempt(contextOf({ signal: stop.signal }));
    expect(result).toEqual(edited());
    expect(actor.given).toEqual([]);
  });

  it('leaves its edits in the tree if the second actor throws', async () => {
    const { context } = await open({ ...FILES });
    const actor: Actor = { name: 'model', attempt: () => Promise.reject(new Error('no key')) };
    const fixers = recording(() => {
      writeFileSync(join(context.root, 'src/limit.js'), 'export const limit = 3;\n');
      return edited();
    });
    await expect(createFixersFirst(fixers, actor).attempt(context)).rejects.toThrow('no key');
    expect(readFileSync(join(context.root, 'src/limit.js'), 'utf8')).toContain('export const');
  });

  it('keeps the trajectory within its limits', async () => {
    const action = { type: 'other', description: 'x', file_path: 'a' } as const;
    const many = (): Trajectory =>
      edited({ actions: Array.from({ length: 1500 }, () => action), strategy: 's'.repeat(2000) });
    const result = await createFixersFirst(recording(many), recording(many)).attempt(contextOf());
    expect(validate('trajectory', result)).toMatchObject({ ok: true });
    expect(result.actions).toHaveLength(2000);
  });
});
