import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Statement } from '@babel/types';
import { parseSource, startOf } from '../../../src/repair/syntax/parse.ts';
import { usageError } from '../../../src/errors.ts';
import { declaredNames } from './declared-names.ts';
import type { Problem } from './problems.ts';
import { renderTestFile } from './test-file.ts';

/** Which tests the search is shown. */
export type Visible = 'example' | 'full';

/** The program's file, relative to the package. */
export const SOURCE_FILE = 'src/index.js';
const TEST_FILE = 'test/index.test.js';

/**
 * The files of the package that a problem becomes, by path: CommonJS, because the programs are sloppy scripts.
 * Holds no test but the visible ones. Throws a usage error where the problem cannot be made into a package.
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
  // Files spell the entry point in other letters now and then: the function itself always comes last.
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
