import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { KEYS, modelFlags } from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { git, repositoryWith, type Files } from '../support/repositories.ts';
import { promptOf, type WireRequest, type WireServer } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const TASK = 'Add an exported function slugify(text) to src/text.js: lower case, words joined by "-".';
const OWN = 'export const upper = (text) => text.toUpperCase();\n';
const FILES: Files = {
  'package.json': { name: 'texts', type: 'module', scripts: { test: 'node --test' } },
  'src/text.js': OWN,
  'src/internal/words.js': "export const words = (text) => text.split(' ');\n",
  'test/text.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { upper } from '../src/text.js';\n\ntest('upper', () => {\n  assert.equal(upper('a'), 'A');\n});\n",
};
const HEAD =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport * as api from '../src/text.js';\n\n";
const JOINS = "test('joins', () => {\n  assert.equal(api.slugify('A b'), 'a-b');\n});\n";
const ALL = "test('joins all', () => {\n  assert.equal(api.slugify('A b C'), 'a-b-c');\n});\n";
const PATH = 'test/slugify.test.js';

/** The same repository in TypeScript, tested by Vitest. */
const IN_TYPESCRIPT: Files = {
  'package.json': { name: 'texts', type: 'module', scripts: { test: 'vitest run', types: 'tsc' } },
  'tsconfig.json': {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ['src', 'test'],
  },
  'src/text.ts': OWN.replace('(text)', '(text: string): string'),
  'test/text.test.ts':
    "import { expect, test } from 'vitest';\nimport { upper } from '../src/text.ts';\n\ntest('upper', () => {\n  expect(upper('a')).toBe('A');\n});\n",
};

/** Bodies of slugify. */
const STUB = 'text';
const HALF = "text.toLowerCase().replace(' ', '-')";
const REAL = "text.toLowerCase().replaceAll(' ', '-')";

interface Answered {
  readonly criteria?: readonly { text: string; tests: string[]; covered_by: string[] }[];
  readonly path?: string;
}

/** The writer's answer, or a function of its prompt. */
type Answer = string | ((prompt: string) => string);

/** An answer of the writer: one file. */
function answer(code: string, tests: readonly string[], { criteria, path = PATH }: Answered = {}): string {
  return JSON.stringify({
    criteria: criteria ?? [{ text: 'slugify joins words by "-".', tests, covered_by: [] }],
    files: code === '' ? [] : [{ path, content: code }],
  });
}

/** The actor's answer: `src/text.js` with the function. */
const change = (body: string): string =>
  `src/text.js\n\`\`\`js\n${OWN}\nexport const slugify = (text) => ${body};\n\`\`\`\n`;

/** The same in TypeScript. */
const inTypeScript = (text: string): string =>
  text
    .replaceAll('text.js', 'text.ts')
    .replaceAll('(text)', '(text: string): string')
    .replace('```js', '```ts');

interface Model {
  readonly server: WireServer;
  /** Prompts of the writer of acceptance tests. */
  readonly asked: string[];
}

/** A model whose writer gives these answers, the last one again and again, and whose actor makes these changes. */
async function modelOf(
  answers: readonly Answer[],
  bodies: readonly string[],
  write = (text: string): string => text,
): Promise<Model> {
  const asked: string[] = [];
  let attempts = 0;
  const server = await serve((request: WireRequest) => {
    if (!request.body.includes('You write acceptance tests'))
      return { text: write(change(bodies[attempts++] ?? STUB)) };
    // Lines of the prompt are escaped in the JSON of a message.
    asked.push(promptOf(request).replaceAll('\\n', '\n'));
    const given = answers[asked.length - 1] ?? answers.at(-1)!;
    return { text: typeof given === 'string' ? given : given(asked.at(-1)!) };
  });
  return { server, asked };
}

interface Ran extends Model {
  readonly root: string;
  readonly exitCode: number | null;
  readonly verdict: Verdict;
  readonly stderr: string;
}

async function run(
  answers: readonly Answer[],
  bodies: readonly string[],
  args: readonly string[] = [],
  files: Files = FILES,
): Promise<Ran> {
  const typed = files === IN_TYPESCRIPT;
  const model = await modelOf(answers, bodies, typed ? inTypeScript : undefined);
  const root = repositoryWith(files, typed ? ['vitest', 'typescript'] : []);
  const finished = await ralphRun(
    root,
    [TASK, '--actor', 'cot', ...modelFlags(model.server), '--reflector', 'rules', '-i', '2', ...args],
    { env: KEYS },
  );
  expect(validate('verdict', finished.verdict)).toMatchObject({ ok: true });
  return { ...model, root, ...finished };
}

describe('acceptance tests by a model', () => {
  it('prove a change, are protected, and are delivered with it', async () => {
    const path = 'test/slugify.test.ts';
    const code =
      "import { expect, test } from 'vitest';\nimport * as api from '../src/text.ts';\n\n" +
      "test('joins', () => {\n  expect(api.slugify('A b')).toBe('a-b');\n});\n" +
      "test('joins all', () => {\n  expect(api.slugify('A b C')).toBe('a-b-c');\n});\n";
    const { root, exitCode, verdict, asked } = await run(
      [answer(code, ['joins', 'joins all'], { path })],
      [STUB, REAL],
      ['--proof-time', '0s'],
      IN_TYPESCRIPT,
    );
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 2 });
    expect(asked).toHaveLength(1);
    expect(verdict.proof).toMatchObject({
      kind: 'written',
      criteria: [
        {
          source: 'written',
          red_before: true,
          green_after: true,
          tests: [`${path}: joins`, `${path}: joins all`],
        },
      ],
    });
    expect(readFileSync(join(root, path), 'utf8')).toBe(code);
    expect(git(root, 'status', '--short', '--untracked-files=all', '--', 'src', 'test')).toBe(
      ` M src/text.ts\n?? ${path}\n`,
    );
  });

  it.each(['nothing', 'half'] as const)('do not prove an actor that does %s', async (actor) => {
    const body = { nothing: '', half: HALF }[actor];
    const { exitCode, verdict, root } = await run(
      [answer(HEAD + JOINS + ALL, ['joins', 'joins all'])],
      [body, body],
      ['-i', '1'],
    );
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 1, verified: false });
    expect(existsSync(join(root, PATH))).toBe(false);
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toBe(OWN);
  });

  it('get additions for a mutant that they do not catch, which are delivered too', async () => {
    const more = 'test/more.test.js';
    const { exitCode, verdict, root, asked } = await run(
      [answer(HEAD + JOINS, ['joins']), answer(HEAD + ALL, ['joins all'], { path: more })],
      [REAL],
    );
    expect(exitCode).toBe(0);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/src\/text\.js:\d+: replaceAll → replace/);
    expect(verdict.proof!.strength).toMatchObject({ added: [more], survivors: [] });
    expect(verdict.proof!.criteria).toHaveLength(1);
    expect(existsSync(join(root, more))).toBe(true);
  });

  it('leave out additions that catch nothing, or do not pass on the change', async () => {
    const useless =
      "test('lowers', () => {\n  assert.equal(api.slugify('A'), 'a');\n});\ntest('wrong', () => {\n  assert.equal(api.slugify('a b c'), 'a-b c');\n});\n";
    const { exitCode, verdict, root } = await run(
      [
        answer(HEAD + JOINS, ['joins']),
        answer(HEAD + useless, ['lowers', 'wrong'], { path: 'test/more.test.js' }),
      ],
      [REAL],
    );
    expect(exitCode).toBe(0);
    expect(verdict.proof!.strength).not.toHaveProperty('added');
    expect(verdict.proof!.strength!.survivors).not.toEqual([]);
    expect(existsSync(join(root, 'test/more.test.js'))).toBe(false);
  });

  it('fail an attempt below --min-proof, whose reflection names what was not caught', async () => {
    const { exitCode, verdict, root } = await run(
      [answer(HEAD + JOINS, ['joins']), answer('', [])],
      [REAL],
      ['--min-proof', '1', '-i', '1'],
    );
    expect({ exitCode, verified: verdict.verified }).toEqual({ exitCode: 1, verified: false });
    expect(verdict.reason).toContain('--min-proof 1: the tests catch');
    const reflection = readFileSync(join(root, verdict.reflections[0]!), 'utf8');
    expect(reflection).toContain('replaceAll');
  });

  it('are left out with --no-keep-tests, also by ralph apply', async () => {
    const args = ['--no-keep-tests', '--proof-time', '0s'];
    const direct = await run([answer(HEAD + JOINS, ['joins'])], [REAL], args);
    expect({
      exitCode: direct.exitCode,
      status: git(direct.root, 'status', '--short', '--', 'src', 'test'),
    }).toEqual({
      exitCode: 0,
      status: ' M src/text.js\n',
    });
    expect(readFileSync(join(direct.root, direct.verdict.patch!), 'utf8')).not.toContain('+++ b/test/');
    const later = await run([answer(HEAD + JOINS, ['joins'])], [REAL], [...args, '--branch']);
    expect(later.exitCode).toBe(0);
    expect(git(later.root, 'diff', '--name-only', 'HEAD', later.verdict.branch!)).toBe('src/text.js\n');
    expect(await ralph(later.root, ['apply', later.verdict.loop_id!])).toMatchObject({ exitCode: 0 });
    expect(git(later.root, 'status', '--short', '--', 'src', 'test')).toBe(' M src/text.js\n');
  });

  it('are not written for what failing tests cover already', async () => {
    const criteria = (prompt: string): Answered['criteria'] => {
      const id = /# Tests that fail now\n- (.+)/.exec(prompt)![1]!;
      return [{ text: 'slugify joins words.', tests: [], covered_by: [id] }];
    };
    const { asked, exitCode, verdict } = await run(
      [(prompt) => answer('', [], { criteria: criteria(prompt) })],
      [REAL],
      ['--proof-time', '0s'],
      { ...FILES, 'test/slug.test.js': HEAD + JOINS },
    );
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 0, asked: 1 });
    const { criteria: proven, kind } = verdict.proof!;
    expect(kind).toBe('written');
    expect(proven.map(({ source }) => source)).toEqual(['written', 'check']);
    expect(proven[0]).toMatchObject({ text: 'slugify joins words.', red_before: true, green_after: true });
    expect(verdict.proof!.uncovered).toEqual([]);
  });

  // Each reason to refuse a test is tried in acceptance.test.ts of the room `proof`.
  it.each([
    [
      'reads the clock',
      "test('joins', () => {\n  assert.equal(api.slugify(String(Date.now())), 'a');\n});\n",
      /reads the clock/,
    ],
    [
      'is not stable',
      "import { existsSync, writeFileSync } from 'node:fs';\ntest('joins', () => {\n  const mark = new URL('./mark.txt', import.meta.url);\n  const seen = existsSync(mark);\n  writeFileSync(mark, '');\n  assert.deepEqual([typeof api.upper, seen], ['function', true]);\n});\n",
      /not stable/,
    ],
    [
      'passes already',
      "test('joins', () => {\n  assert.equal(api.upper('a'), 'A');\n});\n",
      /already passes/,
    ],
  ])('leave the result unproven if the only test %s', async (_name, code, reason) => {
    const { exitCode, verdict, root, asked } = await run([answer(HEAD + code, ['joins'])], [REAL]);
    expect({ exitCode, status: verdict.status, applied: verdict.applied }).toEqual({
      exitCode: 8,
      status: 'unproven',
      applied: 'branch',
    });
    // A test that already passes needs no repair.
    const isGreen = reason.test('already passes');
    expect(asked).toHaveLength(isGreen ? 1 : 2);
    if (!isGreen) expect(asked[1]).toMatch(reason);
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toBe(OWN);
    expect(git(root, 'diff', '--name-only', 'HEAD', verdict.branch!)).toBe('src/text.js\n');
  });
});
