import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModelWriter } from '../../../src/agents/acceptance/model-writer.ts';
import { createAcceptanceTests } from '../../../src/proof/acceptance/index.ts';
import type { AcceptanceRequest, AcceptanceSuite } from '../../../src/ports/acceptance.ts';
import {
  contextFor,
  createRepo,
  TEST_HEAD,
  testsBy,
  textsOf,
  type RepairTool,
} from '../../support/repair-repo.ts';
import { writeFiles } from '../../support/repositories.ts';
import { scriptedModel, type ScriptedModel } from '../../support/scripted-model.ts';

const TASK = 'Add a function slugify(text) to src/text.js: lower case, words joined by "-".';
const OWN = "import { trim } from '../src/text.js';\ntest('trims', () => assert.equal(trim(' a '), 'a'));\n";
const HEAD = "import * as api from '../src/text.js';\n";
const GOOD = [
  "test('joins', () => assert.equal(api.slugify('A b'), 'a-b'));",
  "test('lowers', () => assert.equal(api.slugify('AB'), 'ab'));",
];

function answer(code: string, tests: readonly string[] = ['joins'], path = 'test/slugify.test.js'): string {
  return JSON.stringify({
    criteria: [{ text: 'slugify joins words.', tests, covered_by: [] }],
    files: [{ path, content: code }],
  });
}

async function prepare(script: readonly string[], tool: RepairTool = 'node', task = TASK) {
  const root = createRepo(
    {
      'src/text.js': 'export const trim = (text) => text.trim();\n',
      'test/text.test.js': TEST_HEAD[tool] + OWN,
    },
    'module',
  );
  const before = textsOf(root);
  const context = await contextFor(root, { checks: testsBy(tool) });
  const model: ScriptedModel = scriptedModel(script);
  const acceptance = createAcceptanceTests({ writer: createModelWriter(model, root), bench: context.bench });
  const request: AcceptanceRequest = { ...context, task, stated: [] };
  const suite: AcceptanceSuite = await acceptance.prepare(request);
  return { root, before, model, suite, acceptance, request };
}

describe('acceptance tests', { timeout: 120_000 }, () => {
  it.each(['node', 'vitest', 'mocha'] as const)('of a good answer are kept whole with %s', async (tool) => {
    const code = TEST_HEAD[tool] + HEAD + GOOD.join('\n') + '\n';
    const { root, suite, model } = await prepare([answer(code, ['joins', 'lowers'])], tool);
    expect(suite.rejected).toEqual([]);
    expect(suite.files).toEqual(['test/slugify.test.js']);
    expect(suite.criteria).toMatchObject([
      { source: 'written', tests: ['test/slugify.test.js: joins', 'test/slugify.test.js: lowers'] },
    ]);
    expect(suite.uncovered).toEqual([]);
    expect(readFileSync(join(root, 'test/slugify.test.js'), 'utf8')).toBe(code);
    expect(model.asked).toHaveLength(1);
  });

  it.each(['node', 'vitest', 'mocha'] as const)(
    'may import a missing export by name with %s',
    async (tool) => {
      const code = `${TEST_HEAD[tool]}import { slugify } from '../src/text.js';\ntest('joins', () => assert.equal(slugify('A b'), 'a-b'));\n`;
      expect((await prepare([answer(code)], tool)).suite).toMatchObject({
        rejected: [],
        files: ['test/slugify.test.js'],
      });
    },
  );

  it.each(['node', 'vitest', 'mocha'] as const)(
    'may import a missing file that the task names with %s',
    async (tool) => {
      const code = `${TEST_HEAD[tool]}import { slugify } from '../src/slugify.js';\ntest('joins', () => assert.equal(slugify('A b'), 'a-b'));\n`;
      const task = 'Add slugify(text) in src/slugify.js.';
      expect((await prepare([answer(code)], tool, task)).suite).toMatchObject({
        rejected: [],
        files: ['test/slugify.test.js'],
      });
    },
  );

  const joins = (body: string, head = HEAD): string =>
    `${TEST_HEAD.node}${head}test('joins', () => { ${body} });\n`;
  it.each([
    ['prose', 'I would test that it works.', /JSON/],
    ['no assertion', answer(joins('api.slugify("a");')), /no assertion/],
    [
      'a comparison of a result with itself',
      answer(joins("assert.equal(api.slugify('A b'), api.slugify('A b'));")),
      /every test passes with a function that only returns its first argument/,
    ],
    [
      'an inequality alone',
      answer(joins("assert.notEqual(api.slugify('A b'), 'A b');")),
      /every test passes with a function that only returns an empty text/,
    ],
    [
      'the existence of a function in a new file',
      answer(
        joins("assert.equal(typeof api.slugify, 'function');", "import * as api from '../src/slugify.js';\n"),
      ),
      /neither exists nor is named|every test passes with a function/,
    ],
    ['the clock', answer(joins('assert.equal(Date.now(), 1);')), /clock/],
    ['the network', answer(joins('assert.equal(fetch("http://x"), 1);')), /network/],
    ['a syntax error', answer('test("joins", () => {'), /does not parse/],
    [
      'a private part',
      answer(joins('assert.equal(slug(1), 2);', "import { slug } from '../src/internal/slug.js';\n")),
      /neither exists nor is named/,
    ],
    [
      'a missing dependency',
      answer(joins('assert.equal(api.slugify(x), 2);', `${HEAD}import x from 'no-such-package';\n`)),
      /another reason/,
    ],
    [
      'a file over an existing one',
      answer(joins('assert.equal(1, 2);'), ['joins'], 'test/text.test.js'),
      /exists already/,
    ],
    ['a file outside', answer(joins('assert.equal(1, 2);'), ['joins'], '../x.test.js'), /no plain path/],
    ['constants', answer(joins('api.slugify(1); assert.equal(1, 2);')), /compares constants/],
    [
      'no binding',
      answer(joins('const a = [1]; assert.equal(a.length, 2);')),
      /uses nothing that is imported/,
    ],
    ['an error of its own', answer(joins('missing(); assert.equal(api.trim(""), 2);')), /another reason/],
    ['a green test', answer(joins('assert.equal(api.trim(" a "), "a");')), /already passes/],
  ])('are refused for %s, and nothing is left', async (_, text, reason) => {
    const { root, before, suite } = await prepare([text, text]);
    expect(suite.files).toEqual([]);
    expect(suite.criteria).toEqual([]);
    expect(suite.rejected.join('\n')).toMatch(reason);
    expect(textsOf(root)).toEqual(before);
  });

  it('are at most 40, and the rest is named', async () => {
    const many = Array.from(
      { length: 200 },
      (_, at) => `test('t${at}', () => assert.equal(api.slugify('A'), 'a'));`,
    );
    const { suite } = await prepare([answer(TEST_HEAD.node + HEAD + many.join('\n'), ['t0']), 'no']);
    expect(suite.criteria.map(({ tests }) => tests.length)).toEqual([1, 39]);
    expect(suite.rejected.filter((text) => text.includes('over the limit'))).toHaveLength(160);
  });

  it('are repaired once with the reasons', async () => {
    const { model, suite } = await prepare([
      answer(joins('api.slugify("a");')),
      answer(joins('assert.equal(api.slugify("A"), "a");')),
    ]);
    expect(model.asked).toHaveLength(2);
    expect(model.asked[1]!.prompt).toContain('has no assertion');
    expect(suite.files).toEqual(['test/slugify.test.js']);
  });

  it('are added where they pass on the change and catch a surviving mutant', async () => {
    const more = `${TEST_HEAD.node}${HEAD}test('all', () => assert.equal(api.slugify('a b c'), 'a-b-c'));\ntest('one', () => assert.equal(api.slugify('a'), 'a'));\n`;
    const { acceptance, request, root } = await prepare([
      'no',
      'no',
      answer(more, ['all', 'one'], 'test/more.test.js'),
    ]);
    const changed =
      "export const trim = (text) => text.trim();\nexport const slugify = (text) => text.replaceAll(' ', '-');\n";
    writeFiles(root, { 'src/text.js': changed });
    const suite = await acceptance.strengthen(request, [
      { file: 'src/text.js', line: 2, before: 'replaceAll', after: 'replace' },
    ]);
    expect(suite.criteria.flatMap(({ tests }) => tests)).toEqual(['test/more.test.js: all']);
    expect(suite.rejected.join('\n')).toContain('"one" catches none');
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toBe(changed);
    expect(existsSync(join(root, 'test/more.test.js'))).toBe(true);
  });
});
