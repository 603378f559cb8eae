import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reflection } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

const AIWG_SCHEMA = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'shared',
  'data',
  'aiwg-reflection-memory.schema.json',
);

/** A different wrong change in every attempt; each prompt is saved outside the repository. */
const WRONG =
  'cat > "$PROMPTS/$RALPH_ITERATION.md"; sed -i "s/return a .*/return a * b + $RALPH_ITERATION;/" src/add.js';

async function failingLoop(
  omega: string,
): Promise<{ root: string; prompts: string; reflections: Reflection[]; loop: string }> {
  const root = repositoryWith(NODE_TEST_FILES);
  const prompts = repositoryWith({ 'README.md': '' });
  const { exitCode, verdict } = await ralphRun(
    root,
    [
      '--command',
      WRONG,
      '--omega',
      omega,
      '--max-iterations',
      '5',
      '--pass-env',
      'PROMPTS',
      '--sandbox-write',
      prompts,
    ],
    { env: { PROMPTS: prompts } },
  );
  expect(exitCode).toBe(1);
  const reflections = verdict.reflections.map(
    (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Reflection,
  );
  return { root, prompts, reflections, loop: verdict.loop_id! };
}

describe('reflections of a loop that fails five times', () => {
  it('are valid, numbered, limited by Ω, and in the next prompt', async () => {
    const { root, prompts, reflections, loop } = await failingLoop('2');
    expect(readdirSync(join(root, '.aiwg/ralph/reflections', loop)).sort()).toEqual(
      reflections.map((_, index) => `00${index + 1}.json`),
    );
    for (const reflection of reflections) {
      expect(validate('reflection', reflection)).toMatchObject({ ok: true });
      expect(reflection.memory_metadata.current_memory_size).toBeLessThanOrEqual(2);
      expect(reflection.previous_reflections_used.length).toBeLessThanOrEqual(2);
    }
    const prompt = (attempt: number): string => readFileSync(join(prompts, `${attempt}.md`), 'utf8');
    expect(prompt(1)).not.toContain('Reflection on attempt');
    expect(prompt(3)).toContain(reflections[0]!.self_reflection.reflection_text.slice(0, 80));
    expect(prompt(3)).toContain(reflections[1]!.self_reflection.reflection_text.slice(0, 80));
    expect([...prompt(4).matchAll(/Reflection on attempt (\d)/g)].map((match) => match[1])).toEqual([
      '2',
      '3',
    ]);
    expect(prompt(2)).toMatch(/adds[^]*Expected: 5/);

    const checked = await ralph(root, ['reflections', 'validate', '--format', 'json']);
    expect(checked.exitCode).toBe(0);
    expect(
      (JSON.parse(checked.stdout) as { verdict: string }[]).every(({ verdict }) => verdict === 'valid'),
    ).toBe(true);
  });

  it.runIf(existsSync(AIWG_SCHEMA))("are valid against AIWG's own published schema", async () => {
    const { reflections } = await failingLoop('3');
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    formats.default(ajv);
    const check = ajv.compile(JSON.parse(readFileSync(AIWG_SCHEMA, 'utf8')) as object);
    expect(reflections.length).toBeGreaterThanOrEqual(3);
    for (const reflection of reflections) expect([check(reflection), check.errors]).toEqual([true, null]);
  });
});

describe('ralph reflections', () => {
  let root: string;
  let loop: string;

  beforeAll(async () => {
    root = repositoryWith(NODE_TEST_FILES);
    const { verdict } = await ralphRun(root, [
      'make add right',
      '--command',
      'echo "// note" >> src/add.js',
      '--max-iterations',
      '2',
    ]);
    loop = verdict.loop_id!;
  });

  it('lists, shows and searches', async () => {
    expect((await ralph(root, ['reflections', 'list'])).stdout).toMatch(/002\.json[^]*001\.json/);
    expect((await ralph(root, ['reflections', 'show', loop, '1'])).stdout).toMatch(
      /attempt 1 of ralph-make-add-right/,
    );
    const found = JSON.parse(
      (await ralph(root, ['reflections', 'search', 'adds', '--limit', '1', '--format', 'json'])).stdout,
    ) as Reflection[];
    expect(found).toHaveLength(1);
    expect((await ralph(root, ['reflections', 'search', 'zeppelin'])).stdout).toBe('Nothing matches.\n');
  });

  it('searches by filters alone', async () => {
    const { self_reflection } = JSON.parse(
      (await ralph(root, ['reflections', 'show', loop, '1', '--format', 'json'])).stdout,
    ) as Reflection;
    const category = self_reflection.credit_assignment.failure_category;
    const search = async (...args: string[]): Promise<unknown[]> =>
      JSON.parse(
        (await ralph(root, ['reflections', 'search', '--format', 'json', ...args])).stdout,
      ) as unknown[];
    expect(await search('--category', `${category},hallucination`)).not.toHaveLength(0);
    expect(await search('--loop', loop, '--since', '1d', '--file', 'src/*.js')).toHaveLength(2);
    expect(await search('--min-confidence', '1')).toHaveLength(0);
  });

  it('finds patterns in two or more reflections', async () => {
    const patterns = JSON.parse(
      (await ralph(root, ['reflections', 'patterns', '--format', 'json'])).stdout,
    ) as { kind: string; text: string; count: number }[];
    expect(patterns).toContainEqual(expect.objectContaining({ kind: 'file', text: 'src/add.js', count: 2 }));
  });

  it('ends without an error when the reader closes the pipe', () => {
    const program = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
    const script = `set -o pipefail; "$0" "$1" reflections list --format json | head -c 1`;
    const { exitCode, stderr } = execaSync('bash', ['-c', script, process.execPath, program], {
      cwd: root,
      reject: false,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('skips a damaged file with a warning and lists the others', async () => {
    const path = join(root, '.aiwg/ralph/reflections', loop, '002.json');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(0, 100));
    const listed = await ralph(root, ['reflections', 'list', '--format', 'json']);
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
    expect(listed.stderr).toMatch(/skipped .*002\.json/);
    expect(await ralph(root, ['reflections', 'validate'])).toMatchObject({
      exitCode: 7,
      stdout: expect.stringMatching(/invalid .*002\.json/),
    });
    writeFileSync(path, whole);
  });
});
