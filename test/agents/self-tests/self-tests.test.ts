import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSelfTester, type SelfTester } from '../../../src/agents/self-tests/index.ts';
import type { WorkEvent } from '../../../src/events.ts';
import type { AttemptContext, Bench } from '../../../src/ports.ts';
import { NO_USAGE } from '../../../src/schema/usage.ts';
import { planFor } from '../../support/checks.ts';
import {
  contextFor,
  createRepo,
  TEST_HEAD,
  testsBy,
  textsOf,
  type RepairTool,
} from '../../support/repair-repo.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';
import {
  SCRIPTED_USAGE,
  scriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../../support/scripted-model.ts';

const SOURCE = { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };
const DONE = { 'src/sum.js': 'export const sum = (...all) => all.reduce((a, b) => a + b, 0);\n' };
const TASK = 'Let sum take any number of values.';

function testFile(tool: RepairTool, ...lines: readonly string[]): string {
  const source =
    tool === 'jest' ? "const { sum } = require('../src/sum.js');" : "import { sum } from '../src/sum.js';";
  return [TEST_HEAD[tool] + source, ...lines, ''].join('\n');
}

const THREE = [
  "test('adds one', () => assert.equal(sum(1), 1));",
  "test('adds two', () => assert.equal(sum(1, 2), 3));",
  "test('adds three', () => assert.equal(sum(1, 2, 3), 6));",
];
const fenced = (code: string): string => `Here they are.\n\n\`\`\`js\n${code}\`\`\`\n`;

interface Opened {
  readonly root: string;
  readonly context: AttemptContext;
  readonly model: ScriptedModel;
  readonly tester: SelfTester;
  readonly events: WorkEvent[];
}

async function open(
  script: readonly ScriptedReply[],
  {
    tool = 'node',
    files = {},
    over = {},
  }: { tool?: RepairTool; files?: Files; over?: Partial<AttemptContext> } = {},
): Promise<Opened> {
  const own = { 'test/sum.test.js': testFile(tool, THREE[1]!) };
  const source = tool === 'jest' ? { 'src/sum.js': 'exports.sum = (a, b) => a + b;\n' } : SOURCE;
  const root = createRepo({ ...source, ...own, ...files }, tool === 'jest' ? 'commonjs' : 'module');
  const events: WorkEvent[] = [];
  const seen = await contextFor(root, { checks: testsBy(tool) });
  const model = scriptedModel(script);
  const context = { ...seen, task: TASK, onWork: (event: WorkEvent) => void events.push(event), ...over };
  return { root, context, model, events, tester: createSelfTester(model, root) };
}

describe('self-written tests', () => {
  it.each(['node', 'vitest', 'jest', 'mocha'] as const)(
    'run by %s report failures, leave no file in the tree, and all pass in the end',
    { timeout: 120_000 },
    async (tool) => {
      const { root, context, model, tester } = await open([fenced(testFile(tool, ...THREE))], { tool });
      const before = textsOf(root);
      expect(await tester.prepare(context)).toEqual(SCRIPTED_USAGE);
      expect(model.asked).toHaveLength(1);
      expect(model.asked[0]!.tools).toBeUndefined();
      for (const part of [
        TASK,
        `run with ${tool}`,
        'test/ralph-self.test.js',
        'adds two',
        'at most 6',
        'src/sum.js',
      ])
        expect(model.asked[0]!.prompt).toContain(part);

      const message = await tester.review(context);
      expect(message).toContain('Failing tests: 2 of the 3');
      expect(message).toMatch(/## adds three\n[^]*6/);
      expect(textsOf(root)).toEqual(before);
      expect(await tester.result(context)).toEqual({
        file: 'test/ralph-self.test.js',
        written: 3,
        passed: 1,
      });

      writeFiles(
        root,
        tool === 'jest'
          ? { 'src/sum.js': 'exports.sum = (...all) => all.reduce((a, b) => a + b, 0);\n' }
          : DONE,
      );
      expect(await tester.review(context)).toBeUndefined();
      expect(await tester.result(context)).toEqual({
        file: 'test/ralph-self.test.js',
        written: 3,
        passed: 3,
      });
      expect(Object.keys(textsOf(root))).toEqual(Object.keys(before));
    },
  );

  it('are not written if a check fails, in a later attempt, or without a test runner', async () => {
    const red = await open([], { files: { 'src/sum.js': 'export const sum = () => 0;\n' } });
    const later = await open([], { over: { iteration: 2 } });
    const command = planFor('command', { name: 'tests', kind: 'tests', args: ['true'] });
    const bare = await open([]);
    const commandOnly = { ...bare.context, project: { ...bare.context.project, checks: [command] } };
    const unrunnable = await open([]);
    const [check] = unrunnable.context.evaluation.checks;
    const broken = { ...unrunnable.context.evaluation, checks: [{ ...check!, status: 'error' as const }] };
    const cases: readonly (readonly [SelfTester, AttemptContext])[] = [
      [red.tester, red.context],
      [later.tester, later.context],
      [bare.tester, commandOnly],
      [unrunnable.tester, { ...unrunnable.context, evaluation: broken }],
    ];
    for (const [tester, context] of cases) {
      expect(await tester.prepare(context)).toEqual(NO_USAGE);
      expect(await tester.review(context)).toBeUndefined();
      expect(await tester.result(context)).toBeUndefined();
    }
    for (const { model } of [red, later, bare, unrunnable]) expect(model.asked).toEqual([]);
  });

  it('are written once and run in later attempts', async () => {
    const { context, model, tester } = await open([fenced(testFile('node', ...THREE))]);
    await tester.prepare(context);
    await tester.review(context);
    const second = { ...context, iteration: 2 };
    expect(await tester.prepare(second)).toEqual(NO_USAGE);
    expect(await tester.review(second)).toContain('Failing tests: 2 of the 3');
    expect(model.asked).toHaveLength(1);
  });

  it('are reported once while their failures stay the same', async () => {
    const { root, context, tester } = await open([fenced(testFile('node', ...THREE))]);
    await tester.prepare(context);
    expect(await tester.review(context)).toBeDefined();
    expect(await tester.review(context)).toBeUndefined();
    writeFiles(root, { 'src/sum.js': 'export const sum = (a, b = 0) => a + b;\n' });
    expect(await tester.review(context)).toContain('Failing tests: 1 of the 3');
  });

  it('are counted on the final tree, even if the actor was stopped', async () => {
    const { root, context, tester } = await open([fenced(testFile('node', ...THREE))]);
    await tester.prepare(context);
    await tester.review(context);
    writeFiles(root, DONE);
    expect(await tester.result(context)).toMatchObject({ passed: 3 });
  });

  it('are at most six', async () => {
    const many = Array.from(
      { length: 9 },
      (_, index) => `test('t${index}', () => assert.equal(sum(1, 2), 3));`,
    );
    const { context, tester } = await open([fenced(testFile('node', ...many))]);
    await tester.prepare(context);
    expect(await tester.review(context)).toBeUndefined();
    expect(await tester.result(context)).toMatchObject({ written: 6, passed: 6 });
  });

  it.each([
    ['do not parse', fenced("test('a', () => {")],
    ['are missing', 'I would rather not.'],
    ['were cut off', "```js\nimport test from 'node:test';\ntest('a', () => {});\ntest('b'"],
    ['were not answered', { ending: 'failed', detail: 'down', steps: 0, usage: NO_USAGE } as const],
  ])('that %s are dropped, but their usage counts', async (_name, reply) => {
    const { context, tester } = await open([reply]);
    expect(await tester.prepare(context)).toEqual(typeof reply === 'string' ? SCRIPTED_USAGE : NO_USAGE);
    expect(await tester.review(context)).toBeUndefined();
    expect(await tester.result(context)).toBeUndefined();
  });

  it('are taken from the first block that has tests', async () => {
    const answer = `First:\n\`\`\`sh\nnpm test\n\`\`\`\n${fenced(testFile('node', ...THREE))}`;
    const { context, tester } = await open([answer]);
    await tester.prepare(context);
    expect(await tester.result(context)).toMatchObject({ written: 3 });
  });

  it('do not pass if the file cannot be loaded', async () => {
    const broken = testFile('node', ...THREE).replace('../src/sum.js', '../src/none.js');
    const { context, tester } = await open([fenced(broken)]);
    await tester.prepare(context);
    expect(await tester.review(context)).toMatch(/Failing tests: 3 of the 3 [^]*none\.js/);
  });

  it('do not pass if the runner finds no test in the file', { timeout: 120_000 }, async () => {
    // The runner's own pattern does not have the file.
    const { context, tester } = await open([fenced(testFile('vitest', ...THREE))], {
      tool: 'vitest',
      files: { 'vitest.config.js': "export default { test: { include: ['test/sum.test.js'] } };\n" },
    });
    await tester.prepare(context);
    expect(await tester.review(context)).toMatch(/Failing tests: 3 of the 3 [^]*no test was found/);
    expect(await tester.result(context)).toMatchObject({ written: 3, passed: 0 });
  });

  it('do not pass in node:test if the file has tests of another runner', async () => {
    const foreign = "import { sum } from '../src/sum.js';\nconst test = () => sum;\ntest('a', () => {});\n";
    const { context, tester } = await open([fenced(foreign)]);
    await tester.prepare(context);
    expect(await tester.review(context)).toContain('Failing tests: 1 of the 1');
  });

  it('do not all pass if a subtest fails', async () => {
    const nested =
      "test('many', async (t) => {\n  await t.test('a', () => {});\n  await t.test('b', () => {});\n  await t.test('c', () => assert.equal(sum(1), 1));\n});";
    const { context, tester } = await open([fenced(testFile('node', nested, THREE[1]!))]);
    await tester.prepare(context);
    expect(await tester.result(context)).toMatchObject({ written: 2, passed: 1 });
  });

  describe('in a temporary file', () => {
    const written = fenced(testFile('node', ...THREE));

    /** A bench that calls a function when a check is run. */
    function benchThat(run: (files: readonly string[]) => ReturnType<Bench['run']>): Bench {
      return { run: (_name, { files = [] }) => run(files) };
    }

    it.each([
      ['the runner crashes', () => Promise.reject(new Error('crashed'))],
      [
        'the runner throws at once',
        () => {
          throw new Error('crashed');
        },
      ],
    ])('leave no file if %s, and are discarded', async (_name, run) => {
      const { root, context, events, tester } = await open([written]);
      const before = textsOf(root);
      await tester.prepare(context);
      const bench = benchThat(run);
      expect(await tester.review({ ...context, bench })).toBeUndefined();
      expect(textsOf(root)).toEqual(before);
      expect(events).toEqual([{ type: 'warning', text: 'The self-written tests could not be run: crashed' }]);
      expect(await tester.result(context)).toBeUndefined();
    });

    it('leave no file if the attempt is stopped while they run', async () => {
      const endless = testFile('node', "test('ends', () => new Promise(() => setInterval(() => {}, 1000)));");
      const stop = new AbortController();
      const { root, context, tester } = await open([fenced(endless)], { over: { signal: stop.signal } });
      const before = textsOf(root);
      await tester.prepare(context);
      const running = tester.review(context);
      setTimeout(() => stop.abort(), 300);
      await running;
      expect(textsOf(root)).toEqual(before);
      expect(await tester.result(context)).toBeUndefined();
    });

    it('get another name if theirs exists', async () => {
      const { root, context, tester } = await open([written]);
      await tester.prepare(context);
      writeFiles(root, { 'test/ralph-self.test.js': 'mine\n', ...DONE });
      const ran: string[] = [];
      const bench = benchThat(async (files) => {
        ran.push(...files);
        return await context.bench.run('tests', { files, signal: context.signal });
      });
      expect(await tester.review({ ...context, bench })).toBeUndefined();
      expect(ran).toEqual(['test/ralph-self-2.test.js']);
      expect(textsOf(root)['test/ralph-self.test.js']).toBe('mine\n');
      expect(existsSync(join(root, 'test/ralph-self-2.test.js'))).toBe(false);
    });

    it('leave no snapshots', { timeout: 120_000 }, async () => {
      // In CI vitest writes none by itself.
      vi.stubEnv('CI', '');
      onTestFinished(() => void vi.unstubAllEnvs());
      const snap =
        "import { expect, test } from 'vitest';\ntest('a', () => expect([1]).toMatchSnapshot());\n";
      const { root, context, tester } = await open([fenced(snap)], { tool: 'vitest' });
      const before = textsOf(root);
      await tester.prepare(context);
      expect(await tester.result(context)).toMatchObject({ passed: 1 });
      expect(textsOf(root)).toEqual(before);
      expect(existsSync(join(root, 'test/__snapshots__'))).toBe(false);
    });

    it('leave no folder', async () => {
      const { root, context, tester } = await open([written]);
      await tester.prepare(context);
      rmSync(join(root, 'test'), { recursive: true });
      await tester.review(context);
      expect(existsSync(join(root, 'test'))).toBe(false);
    });

    it('are not written through a link to a place outside', async () => {
      const outside = temporaryFolder();
      const { root, context, events, tester } = await open([written]);
      await tester.prepare(context);
      rmSync(join(root, 'test'), { recursive: true });
      symlinkSync(outside, join(root, 'test'));
      expect(await tester.review(context)).toBeUndefined();
      expect(textsOf(outside)).toEqual({});
      expect(events).toHaveLength(1);
    });
  });

  it('are placed next to the tests of the package with the same suffix', async () => {
    const { root, context, model } = await open([''], {
      files: {
        'packages/a/spec/deep/x_spec.js': testFile('node', THREE[1]!).replace('../src', '../../../../src'),
      },
    });
    mkdirSync(join(root, 'packages/a'), { recursive: true });
    const plan = planFor('node', { name: 'tests', cwd: 'packages/a' });
    const test = { id: 'x', name: 'x', file: 'packages/a/spec/deep/x_spec.js', status: 'passed' as const };
    const tests = [...context.evaluation.tests, test];
    await createSelfTester(model, root).prepare({
      ...context,
      project: { ...context.project, checks: [plan] },
      evaluation: { ...context.evaluation, tests },
    });
    expect(model.asked[0]!.prompt).toContain('The file will be packages/a/spec/deep/ralph-self_spec.js;');
    expect(model.asked[0]!.prompt).toContain('A test of the repository, packages/a/spec/deep/x_spec.js:');
  });

  it('have a default place without any test', async () => {
    const { root, context, model } = await open(['']);
    writeFileSync(join(root, 'src/b.js'), '');
    const evaluation = { ...context.evaluation, tests: [] };
    await createSelfTester(model, root).prepare({ ...context, evaluation });
    expect(model.asked[0]!.prompt).toContain('The file will be test/ralph-self.test.mjs;');
    expect(model.asked[0]!.prompt).not.toContain("the repository's own");
  });
});
