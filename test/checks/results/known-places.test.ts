import { expect, it } from 'vitest';
import { withKnownPlaces } from '../../../src/checks/results/known-places.ts';
import { parseStack } from '../../../src/checks/results/stack.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { failure } from '../../support/scripted.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** As tsc writes them: line 4 of the source became line 3 of `dist/pay.js`, in which `due` begins. */
const MAP = {
  ...{ version: 3, file: 'pay.js', sourceRoot: '', sources: ['../src/pay.ts'], names: [] },
  mappings: ';;AAGA,kBAEC;AAFD,aAAa',
};

function repository(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'src/pay.ts': 'interface A {}\n\n\nexport function due(): number {\n  return 1;\n}\n',
    'src/match.ts': 'export function match() {\n  throw new Error();\n}\n',
    'dist/pay.js': '"use strict";\n\nexports.due = due;\nfunction due() { return 1; }\n',
    'dist/pay.js.map': JSON.stringify(MAP),
  });
  return root;
}

function framesOf(root: string, ...lines: readonly string[]): Diagnostic['frames'] {
  const paths = createTreePaths(root, root);
  const frames = parseStack(lines.map((line) => `    at ${line}`).join('\n'), paths);
  return withKnownPlaces([{ ...failure(1), frames }], root)[0]!.frames;
}

it('reads no place from frames of Node itself', () => {
  const line = '    at async node:internal/modules/esm/loader:647:26';
  expect(parseStack(line, createTreePaths('/repo', '/repo/packages/app'))).toEqual([]);
});

it('leaves out frames of files and lines that the tree does not have', () => {
  const root = repository();
  expect(framesOf(root, 'gone (src/gone.ts:1:1)', 'match (src/match.ts:99:1)')).toBeUndefined();
  expect(framesOf(root, 'match (src/match.ts:2:3)')).toMatchObject([{ file: 'src/match.ts', line: 2 }]);
});

it('says the name that the file has, or none', () => {
  const root = repository();
  const named = ['match2', 'Object.match', 'other7', 'Object.<anonymous>'].map(
    (name) => framesOf(root, `${name} (src/match.ts:2:3)`)![0]!.function,
  );
  expect(named).toEqual(['match', 'Object.match', undefined, 'Object.<anonymous>']);
});

it('says the place in the source of a built file, by its map', () => {
  const root = repository();
  expect(framesOf(root, 'due (dist/pay.js:3:1)')).toEqual([{ file: 'src/pay.ts', line: 4, function: 'due' }]);
  const [thrown] = withKnownPlaces([{ ...failure(1), file: 'dist/pay.js', line: 4, column: 1 }], root);
  expect(thrown).toMatchObject({ file: 'src/pay.ts', line: 4, fingerprint: failure(1).fingerprint });
  // A map that names a source which is not there says nothing.
  writeFiles(root, { 'dist/pay.js.map': JSON.stringify({ ...MAP, sources: ['../src/gone.ts'] }) });
  expect(framesOf(root, 'due (dist/pay.js:3:1)')).toMatchObject([{ file: 'dist/pay.js', line: 3 }]);
});
