import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseComparedValues } from '../../../src/checks/results/compared-values.ts';
import { findLocation } from '../../../src/checks/results/location.ts';
import { parsePrintedError } from '../../../src/checks/results/printed-error.ts';
import { parseStack } from '../../../src/checks/results/stack.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

describe('parseStack', () => {
  it('keeps frames of the tree, innermost first', () => {
    const paths = createTreePaths('/repo', '/repo/packages/a');
    const stack = `TypeError: bad
    at read (/repo/src/a b.js:3:14)
    at async Object.<anonymous> (file:///repo/test/a.test.js:7:1)
    at /repo/src/top.js?v=12:9:2
    at new Thing (lib/thing.ts:1:1)
    at run (/repo/node_modules/vitest/dist/run.js:1:1)
    at node:internal/process/task_queues:95:5
    at other (/elsewhere/x.js:1:1)`;
    expect(parseStack(stack, paths)).toEqual([
      { file: 'src/a b.js', line: 3, column: 14, function: 'read' },
      { file: 'test/a.test.js', line: 7, column: 1, function: 'Object.<anonymous>' },
      { file: 'src/top.js', line: 9, column: 2 },
      { file: 'packages/a/lib/thing.ts', line: 1, column: 1, function: 'new Thing' },
    ]);
  });

  it('keeps at most 50 frames', () => {
    const stack = Array.from({ length: 80 }, (_, n) => `    at f (/repo/a.js:${n + 1}:1)`).join('\n');
    expect(parseStack(stack, createTreePaths('/repo', '/repo'))).toHaveLength(50);
  });
});

describe('createTreePaths', () => {
  it('recognises a symlinked root and its real path, and removes both from a text', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    const paths = createTreePaths(join(folder, 'link'), join(folder, 'link'));
    expect(paths.relative(join(folder, 'real', 'a.js'))).toBe('a.js');
    expect(paths.relative(join(folder, 'link', 'b', 'c.js'))).toBe('b/c.js');
    expect(paths.relative(join(folder, 'real2', 'a.js'))).toBeUndefined();
    expect(paths.strip(`in file://${folder}/real/a.js and ${folder}/link/b.js`)).toBe('in a.js and b.js');
  });
});

describe('findLocation', () => {
  it.each([
    ['babel', 'SyntaxError: $ROOT/src/a.js: Unexpected token (3:10)', { line: 3, column: 10 }],
    [
      'esbuild',
      'Transform failed with 1 error:\n$ROOT/src/a.js:3:10: ERROR: Unexpected',
      { line: 3, column: 10 },
    ],
    ['oxc', 'Unexpected token\n   ╭─[ src/a.js:3:10 ]', { line: 3, column: 10 }],
    ['Node', 'file://$ROOT/src/a.js:3\nconst x = ;', { line: 3 }],
    ['tsc', 'src/a.js(3,10): error', { line: 3, column: 10 }],
    ['a path alone', 'Cannot find module imported from $ROOT/src/a.js', {}],
  ])('reads the position that %s prints', (_who, text, place) => {
    const root = temporaryFolder();
    writeFiles(root, { 'src/a.js': '' });
    const found = findLocation(text.replace('$ROOT', root), createTreePaths(root, root));
    expect(JSON.parse(JSON.stringify(found))).toEqual({ file: 'src/a.js', ...place });
  });

  it('ignores files that do not exist', () => {
    const root = temporaryFolder();
    expect(findLocation(`${root}/src/gone.js:1:2`, createTreePaths(root, root))).toBeUndefined();
  });
});

describe('parseComparedValues', () => {
  it.each([
    ['expect(received).toBe(expected)\n\nExpected: 3\nReceived: -1', '3', '-1'],
    ['Expected length: 2\nReceived length: 3', '2', '3'],
    ['expected [ 1 ] to deeply equal [ 2 ]', '[ 2 ]', '[ 1 ]'],
    ["expected 'a' to be 'b' // Object.is equality", "'b'", "'a'"],
    ['1 == 2', '2', '1'],
    ['something else', undefined, undefined],
  ])('%s', (message, expected, received) => {
    expect(parseComparedValues(message)).toEqual(expected === undefined ? {} : { expected, received });
  });
});

describe('parsePrintedError', () => {
  it('reads the first line with an error class', () => {
    const text = `/repo/a.js:1\nconst x = ;\n\nSyntaxError: Unexpected token ';'\n    at f (node:vm:1:1)\n\nNode.js v24`;
    expect(parsePrintedError(text)).toMatchObject({ name: 'SyntaxError', message: `Unexpected token ';'` });
  });

  it('uses the end of a text without an error class', () => {
    expect(parsePrintedError('killed\n')).toMatchObject({ message: 'killed' });
  });
});
