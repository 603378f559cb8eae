import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CART_FILES, edits, RIGHT_EDIT, runWith, trajectoryOf, WRONG_EDIT } from '../support/model-run.ts';
import { repositoryWith, type Files } from '../support/repositories.ts';
import { promptOf, type WireReply } from '../support/wire/index.ts';
import { serve } from '../support/wire/serve.ts';

const DONE: WireReply = { text: 'Done.' };

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
