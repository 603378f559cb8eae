import { expect, test } from 'vitest';
import { parseTscOutput } from '../../../src/checks/parsers/tsc.ts';
import { createTreePaths } from '../../../src/checks/results/tree-paths.ts';

const origin = { check: 'types', paths: createTreePaths('/tree', '/tree') };

test('an error in a package that is installed outside of the tree says where it is', () => {
  const lines = [
    "../home/node_modules/@types/node/ffi.d.ts(94,21): error TS1005: ',' expected.",
    "src/a.ts(1,2): error TS1005: ',' expected.",
    'error TS2688: Cannot find type definition file.',
  ];
  expect(parseTscOutput(lines.join('\n'), origin).map(({ file, message }) => [file, message])).toEqual([
    [undefined, "node_modules/@types/node/ffi.d.ts: ',' expected."],
    ['src/a.ts', "',' expected."],
    [undefined, 'Cannot find type definition file.'],
  ]);
});
