import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Statement } from '@babel/types';
import { parseSource, startOf } from '../../../src/repair/syntax/parse.ts';
import { usageError } from '../../../src/errors.ts';
import { declaredNames } from './declared-names.ts';
import type { Problem } from './problems.ts';
import { renderTestFile } from './test-file.ts';

/** The tests that the search can see. */
export type Visible = 'example' | 'full';

/** Path of the program, relative to the package. */
export const SOURCE_FILE = 'src/index.js';
const TEST_FILE = 'test/index.test.js';

/**
 * The files of a problem's package, by path. The package is CommonJS, because the programs need sloppy mode, and holds
 * only the visible tests. Throws a usage error if the program does not parse, declares nothing or has no visible tests.
 */
export function packageFiles(problem: Problem, visible: Visible): Readonly<Record<string, string>> {
  const source = sourceOf(problem);
  const tests = visible === 'full' ? problem.test : problem.exampleTest;
  if (tests.trim() === '') throw usageError('The problem has no example tests.');
  const manifest = { name: 'subject', version: '1.0.0', private: true, scripts: { test: 'node --test' } };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    '.gitignore': 'node_modules\n',
    [SOURCE_FILE]: source.text,
    [TEST_FILE]: renderTestFile(tests, { module: '../src/index.js', names: source.names }),
  };
}

/** Writes files below an absolute folder. */
export async function writePackage(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

function sourceOf(problem: Problem): { readonly text: string; readonly names: readonly string[] } {
  const program = `${problem.declaration}${problem.buggySolution}`;
  const parsed = parseSource(SOURCE_FILE, program);
  if ('problem' in parsed) throw usageError(parsed.problem);
  const { body } = parsed.tree.program;
  const names = declaredNames(body);
  // Some problems spell the entry point in another case; the function itself is always declared last.
  const name = names.includes(problem.entryPoint) ? problem.entryPoint : names.at(-1);
  if (name === undefined) throw usageError('The program declares nothing.');
  const at = startOf(body.find((statement) => declares(statement, name))!);
  const documented = program.slice(0, at) + docComment(problem.docstring) + program.slice(at);
  return { text: `${documented.trim()}\n\nmodule.exports = { ${names.join(', ')} };\n`, names };
}

function declares(statement: Statement, name: string): boolean {
  return declaredNames([statement]).includes(name);
}

function docComment(docstring: string): string {
  const text = docstring.trim().replaceAll('*/', '*\\/');
  if (text === '') return '';
  const lines = text.split('\n').map((line) => ` * ${line}`.trimEnd());
  return ['/**', ...lines, ' */', ''].join('\n');
}
