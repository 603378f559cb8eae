import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  packageFiles,
  SOURCE_FILE,
  writePackage,
} from '../../../../bench/datasets/humanevalfix/package-files.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { problemOf } from './sample.ts';

it('writes the program with its documentation and exports every declaration', async () => {
  const declaration = '\nconst half = (n) => n / 2;\n\nconst sumTo = (limit) => {\n';
  const files = packageFiles(problemOf({ declaration, docstring: 'Sums. */\nSecond line.' }), 'full');
  expect(files[SOURCE_FILE]).toMatch(/\/\*\*\n \* Sums\. \*\\\/\n \* Second line\.\n \*\/\nconst sumTo/);
  const root = temporaryFolder();
  await writePackage(root, files);
  const program = createRequire(import.meta.url)(join(root, SOURCE_FILE)) as Record<string, unknown>;
  expect(Object.keys(program)).toEqual(['half', 'sumTo']);
});

it('writes only the visible tests', () => {
  const problem = problemOf();
  const shown = JSON.stringify(packageFiles(problem, 'example'));
  expect(shown).toContain('sumTo(3)');
  expect(shown).not.toMatch(/sumTo\((4|10)\)|55/);
  expect(JSON.stringify(packageFiles(problem, 'full'))).toMatch(/sumTo\(10\)/);
});

it('documents the last declaration if the entry point is spelled in another case', () => {
  const files = packageFiles(problemOf({ entryPoint: 'sumto' }), 'full');
  expect(files[SOURCE_FILE]).toMatch(/ \*\/\nconst sumTo/);
});

it.each([
  [problemOf({ exampleTest: '\n' }), 'no example tests'],
  [problemOf({ buggySolution: '  return (;\n}' }), 'does not parse'],
  [problemOf({ declaration: 'call(() => {', buggySolution: '});' }), 'declares nothing'],
])('rejects an invalid problem (%#)', (problem, message) => {
  expect(() => packageFiles(problem, 'example')).toThrow(message);
});
