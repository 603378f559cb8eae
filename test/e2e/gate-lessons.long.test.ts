/** What a session teaches: its changes since the start, and not those since the check before. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gateIn } from '../support/gate.ts';

const price = (body: string): string => `export function price(n) {\n${body}}\n`;

function lessonsIn(root: string): string {
  const path = join(root, '.aiwg/ralph/memory/lessons.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** A session on a function that rounds down, which one test asks for; `start`: its body when the session begins. */
async function sessionFrom(start: string) {
  const gate = gateIn({
    'package.json': { name: 'prices', type: 'module', scripts: { test: 'node --test' } },
    'src/price.js': price(start),
    'test/price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';
test('rounds down', () => assert.equal(price(2.5), 2));
`,
  });
  expect(await gate.run(['start'])).toMatchObject({ exitCode: 0 });
  return gate;
}

it('an edit is not said to fix what an edit of the same session had broken', async () => {
  const { root, run, write } = await sessionFrom('  return Math.floor(n);\n');
  write('src/price.js', price('  return Math.ceil(n);\n'));
  expect(await run(['check'])).toMatchObject({ exitCode: 1 });
  write('src/price.js', price('  return Math.floor(Number(n));\n'));
  expect(await run(['check'])).toMatchObject({ exitCode: 0 });
  expect(lessonsIn(root)).not.toMatch(/edit_works|edit_insufficient|file_decides_failure/);
});

it('an edit that fixes what was red at the start is said to, also after a check that it did not pass', async () => {
  const { root, run, write } = await sessionFrom('  return Math.ceil(n);\n');
  write('src/price.js', price('  return Math.round(n);\n'));
  await run(['check', '--all-green']);
  write('src/price.js', price('  return Math.floor(n);\n'));
  expect(await run(['check', '--all-green'])).toMatchObject({ exitCode: 0 });
  expect(lessonsIn(root)).toMatch(/edit_works/);
});
