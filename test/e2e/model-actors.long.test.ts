import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CART_FILES, edits, RIGHT_EDIT, runWith, trajectoryOf, WRONG_EDIT } from '../support/model-run.ts';
import { git, repositoryWith, type Files } from '../support/repositories.ts';
import { promptOf, type WireReply } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const DONE: WireReply = { text: 'Done.' };
const patchOf = (root: string, loopId: string): string =>
  readFileSync(join(root, '.aiwg/ralph/loops', loopId, 'attempts/001/patch.diff'), 'utf8');

const BLOCK = `<<<<<<< SEARCH\n  for (const item of items) ${RIGHT_EDIT.oldText}\n=======\n  for (const item of items) ${RIGHT_EDIT.newText}\n>>>>>>> REPLACE`;

describe('--actor cot', () => {
  it('names the block that did not apply in the reflection, and includes it in the second prompt', async () => {
    const server = await serve([
      {
        text: `### \`src/cart.js\`\n\`\`\`js\n${BLOCK.replace('sum += item.price;', 'total += item.cost;')}\n\`\`\``,
      },
      { text: `### \`src/cart.js\`\n\`\`\`js\n${BLOCK}\n\`\`\`` },
    ]);
    const root = repositoryWith(CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--actor', 'cot']);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 2 });
    const first = trajectoryOf(root, verdict.loop_id!);
    expect(first.outcome).toBe('gave_up');
    expect(first.message).toContain('oldText is not in the file');
    expect(promptOf(server.requests[1]!)).toContain('Reflection on attempt 1');
  });

  it('applies the complete blocks of a truncated reply', async () => {
    const text = `src/cart.js\n${BLOCK}\n\nsrc/other.js\n\`\`\`js\nexport const half =`;
    const server = await serve([{ text, finish: 'length' }]);
    const root = repositoryWith(CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--actor', 'cot']);
    expect(exitCode).toBe(0);
    expect(trajectoryOf(root, verdict.loop_id!).message).toContain('The text of src/other.js is incomplete');
    expect(existsSync(join(root, 'src/other.js'))).toBe(false);
  });
});

const GREEN: Files = {
  ...CART_FILES,
  'src/cart.js': (CART_FILES['src/cart.js'] as string).replace(RIGHT_EDIT.oldText, RIGHT_EDIT.newText),
};
const SELF = [
  "import test from 'node:test';",
  "import assert from 'node:assert';",
  "import { total } from '../src/cart.js';",
  "test('counts one where no quantity is given', () => assert.equal(total([{ price: 2 }]), 2));",
  "test('counts the quantity', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));",
].join('\n');
const wish = (newText: string): WireReply => edits({ oldText: RIGHT_EDIT.newText, newText });

/** No acceptance tests are written, and the result is applied all the same. */
const UNPROVEN = ['--no-acceptance-tests', '--apply-unproven'];

describe('--self-tests', () => {
  it('are written first, reported while they fail, and never part of the patch', async () => {
    const server = await serve([
      { text: `\`\`\`js\n${SELF}\n\`\`\`` },
      DONE,
      wish('sum += item.price * (item.quantity ?? 1);'),
      DONE,
    ]);
    const root = repositoryWith(GREEN);
    const { exitCode, verdict } = await runWith(server, root, ['--self-tests', ...UNPROVEN]);
    expect({ exitCode, status: verdict.status }).toEqual({ exitCode: 8, status: 'unproven' });
    expect(server.requests).toHaveLength(4);
    expect(server.requests[0]!.json.tools).toBeUndefined();
    expect(promptOf(server.requests[2]!)).toContain('Failing tests: 1 of the 2');
    const trajectory = trajectoryOf(root, verdict.loop_id!);
    expect(trajectory.self_tests).toEqual({ file: 'test/ralph-self.test.js', written: 2, passed: 2 });
    const all = server.requests.length;
    expect(all).toBe(4);
    expect(verdict.usage.input_tokens).toBeGreaterThan(trajectory.usage.input_tokens - 1);
    expect(patchOf(root, verdict.loop_id!)).not.toContain('ralph-self');
    expect(readdirSync(join(root, 'test'))).toEqual(['cart.test.js']);
    expect(git(root, 'status', '--short')).toBe(' M src/cart.js\n?? .aiwg/\n');
  });

  it('cause at most three more requests, and do not decide the verdict', async () => {
    const impossible = SELF.replace('2 }]), 2)', '2 }]), -1)');
    const answers = [1, 2, 3, 4, 5, 6].map((number) => `sum += item.price * (item.quantity ?? ${number});`);
    const steps = answers.flatMap((newText, index) => [
      edits({ oldText: index === 0 ? RIGHT_EDIT.newText : answers[index - 1]!, newText }),
      DONE,
    ]);
    const server = await serve([{ text: impossible }, ...steps]);
    const root = repositoryWith(GREEN);
    const { exitCode, verdict } = await runWith(server, root, ['--self-tests', ...UNPROVEN]);
    const asked = server.requests.filter((request) =>
      promptOf(request).includes('were written for this task'),
    );
    expect({ exitCode, status: verdict.status }).toEqual({ exitCode: 8, status: 'unproven' });
    const last = server.requests.at(-1)!;
    expect(promptOf(last).match(/were written for this task/g)).toHaveLength(3);
    expect(asked.length).toBeGreaterThan(0);
    expect(trajectoryOf(root, verdict.loop_id!).self_tests).toMatchObject({ written: 2, passed: 1 });
  });

  it('are not requested if a test fails', async () => {
    const server = await serve([edits(RIGHT_EDIT), DONE]);
    const root = repositoryWith(CART_FILES);
    const { exitCode, verdict } = await runWith(server, root, ['--self-tests']);
    expect(exitCode).toBe(0);
    expect(server.requests).toHaveLength(2);
    expect(trajectoryOf(root, verdict.loop_id!).self_tests).toBeUndefined();
  });
});

describe('--fixers', () => {
  const FILES: Files = {
    ...CART_FILES,
    'package.json': { name: 'shop', type: 'module', scripts: { test: 'node --test', lint: 'eslint .' } },
    'eslint.config.js': "export default [{ rules: { 'no-var': 'error' } }];\n",
    'src/tax.js': 'var tax = 2;\nexport { tax };\n',
  };

  it('quick: fixes lint, and the prompt contains only the failing test', async () => {
    const server = await serve([edits(RIGHT_EDIT), DONE]);
    const root = repositoryWith(FILES, ['eslint']);
    const { exitCode, verdict } = await runWith(server, root);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'src/tax.js'), 'utf8')).toContain('let tax = 2;');
    expect(promptOf(server.requests[0]!)).toContain('counts the quantity');
    expect(promptOf(server.requests[0]!)).not.toContain('no-var');
    expect(trajectoryOf(root, verdict.loop_id!).actions.map(({ file_path }) => file_path)).toEqual([
      'src/tax.js',
      'src/cart.js',
    ]);
  });

  it('off: the prompt contains both failures', async () => {
    const server = await serve(() => edits(WRONG_EDIT));
    const root = repositoryWith(FILES, ['eslint']);
    await runWith(server, root, ['--fixers', 'off', '-i', '1', '--max-steps', '1']);
    expect(promptOf(server.requests[0]!)).toContain('no-var');
  });

  it('search: repairs the test as well, and no model is called', async () => {
    const server = await serve([]);
    const root = repositoryWith({
      ...CART_FILES,
      'src/cart.js':
        'export function total(items) {\n  let sum = 0;\n  for (const item of items) sum -= item.price * item.quantity;\n  return sum;\n}\n',
    });
    const { exitCode, verdict } = await runWith(server, root, ['--fixers', 'search']);
    expect({ exitCode, iterations: verdict.iterations }).toEqual({ exitCode: 0, iterations: 1 });
    expect(server.requests).toHaveLength(0);
  });
});
