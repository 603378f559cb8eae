import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, modelFlags } from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, git, NODE_TEST_FILES, QUICK_FILES, repositoryWith } from '../support/repositories.ts';
import type { Verdict } from '../../src/schema/generated.ts';
import { serve } from '../support/wire/serve.ts';

/** A repository whose checks all pass. */
const GREEN = {
  ...QUICK_FILES,
  'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
  'src/text.js': 'export const upper = (text) => text.toUpperCase();\n',
};
/** The same, whose tests a writer of acceptance tests can add to. */
const TESTED = { ...NODE_TEST_FILES, 'src/add.js': GREEN['src/add.js'], 'src/text.js': GREEN['src/text.js'] };
const TASK = 'add a slugify function to src/text.js';
const STUB = 'export const slugify = (x) => x;\n';
const REAL = "export const slugify = (x) => x.trim().toLowerCase().replaceAll(' ', '-');\n";
const ACCEPT = 'grep -q toLowerCase src/text.js';

/** Flags of a model that answers each request with a whole src/text.js. */
async function modelThatWrites(text: string): Promise<string[]> {
  const server = await serve(() => ({
    text: `src/text.js\n\`\`\`js\n${GREEN['src/text.js']}${text}\`\`\`\n`,
  }));
  return ['--actor', 'cot', ...modelFlags(server), '--reflector', 'rules', '--no-acceptance-tests'];
}

describe('--isolation in-place', () => {
  it('leaves the tree as it was after an unproven result, which ralph apply applies', async () => {
    const root = repositoryWith(GREEN);
    const before = fingerprintOf(root);
    const model = await modelThatWrites(STUB);
    const run = await ralphRun(root, [TASK, ...model, '--isolation', 'in-place'], { env: KEYS });
    expect(run).toMatchObject({ exitCode: 8, verdict: { status: 'unproven', applied: 'branch' } });
    const branch = run.verdict.branch!;
    expect(git(root, 'diff', '--name-only', 'HEAD', branch)).toBe('src/text.js\n');
    expect(existsSync(join(root, run.verdict.patch!))).toBe(true);
    git(root, 'branch', '-D', branch);
    expect(fingerprintOf(root)).toBe(before);
    expect(await ralph(root, ['apply', run.verdict.loop_id!])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toContain('slugify');
  });

  it('keeps an unproven result in the tree with --apply-unproven', async () => {
    const root = repositoryWith(GREEN);
    const model = await modelThatWrites(STUB);
    const args = [TASK, ...model, '--isolation', 'in-place', '--apply-unproven'];
    const run = await ralphRun(root, args, { env: KEYS });
    expect(run).toMatchObject({ exitCode: 8, verdict: { verified: false, applied: 'tree' } });
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toContain('slugify');
  });

  it('proves a result by --accept', async () => {
    const root = repositoryWith(GREEN);
    const model = await modelThatWrites(REAL);
    const args = [TASK, ...model, '--isolation', 'in-place', '--accept', ACCEPT];
    const run = await ralphRun(root, args, { env: KEYS });
    expect(run).toMatchObject({ exitCode: 0, verdict: { verified: true, proof: { kind: 'accept' } } });
    expect(readFileSync(join(root, 'src/text.js'), 'utf8')).toContain('slugify');
  });
});

describe('ralph resume', () => {
  const later = [
    `if [ "$RALPH_ITERATION" = 1 ]; then printf "%s" "${STUB.trim()}" >> src/text.js;`,
    `else printf "%s" "${REAL.trim()}" > src/slug.js; sed -i '/slugify/d' src/text.js; cat src/slug.js >> src/text.js; rm src/slug.js; fi`,
  ].join(' ');

  it('keeps the criterion of --accept, which was red on the base', async () => {
    const root = repositoryWith(GREEN);
    const first = await ralphRun(root, [TASK, '--command', later, '--accept', ACCEPT, '-i', '1']);
    expect(first).toMatchObject({ exitCode: 1, verdict: { status: 'exhausted' } });
    const args = ['resume', first.verdict.loop_id!, '-i', '3', '--format', 'json'];
    const resumed = await ralph(root, args);
    const verdict = JSON.parse(resumed.stdout) as Verdict;
    expect(resumed.exitCode).toBe(0);
    expect(verdict).toMatchObject({
      verified: true,
      iterations: 2,
      proof: { kind: 'accept', criteria: [{ command: ACCEPT, red_before: true, green_after: true }] },
    });
  });

  it('takes no other criterion than the loop has', async () => {
    const root = repositoryWith(GREEN);
    const first = await ralphRun(root, [TASK, '--command', later, '--accept', ACCEPT, '-i', '1']);
    const resumed = await ralph(root, ['resume', first.verdict.loop_id!, '-i', '3', '--accept', 'true']);
    expect(resumed.exitCode).toBe(2);
    expect(resumed.stderr).toContain('--accept');
  });
});

describe('a task of one word', () => {
  it('that is no command is a task, and needs a criterion', async () => {
    const root = repositoryWith(GREEN);
    const unproven = await ralph(root, ['run', 'slugify', '--command', 'true']);
    expect(unproven.exitCode).toBe(2);
    expect(unproven.stderr).toContain('nothing would prove that the task is done');
    const model = await modelThatWrites(REAL);
    const run = await ralphRun(root, ['slugify', ...model, '--accept', ACCEPT], { env: KEYS });
    expect(run).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  });

  it('for which the writer finds no test ends unproven', async () => {
    const root = repositoryWith(TESTED);
    const server = await serve(({ body }) =>
      body.includes('You write acceptance tests')
        ? {
            text: '{"criteria": [{"text": "The code is better.", "tests": [], "covered_by": []}], "files": []}',
          }
        : { text: `src/text.js\n\`\`\`js\n${GREEN['src/text.js']}${STUB}\`\`\`\n` },
    );
    const args = ['improve', '--actor', 'cot', ...modelFlags(server), '--reflector', 'rules'];
    const run = await ralphRun(root, args, { env: KEYS });
    expect(run).toMatchObject({
      exitCode: 8,
      verdict: { status: 'unproven', proof: { kind: 'none', uncovered: ['The code is better.'] } },
    });
  });
});
