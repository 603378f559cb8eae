import { describe, expect, it } from 'vitest';
import { parseLintOutput } from '../../../src/repair/fixers/lint-output.ts';
import { createRepo } from '../../support/repair-repo.ts';

const root = createRepo({ 'index.js': '', 'src/a.ts': '', 'src/b.ts': '' });
const read = (output: string) => parseLintOutput(output, { root, cwd: root });

describe('parseLintOutput', () => {
  it.each([
    [
      'xo',
      '\n  index.js:27:59\n  ✖  27:59  Expected === and instead saw ==.  eqeqeq\n  ⚠  30:1   Loud.  loud\n\n  1 error\n',
      [{ file: 'index.js', line: 27, column: 59, text: 'Expected === and instead saw ==.  eqeqeq' }],
    ],
    [
      'standard',
      `standard: Use JavaScript Standard Style (https://standardjs.com)\n  ${root}/index.js:8:18: Expected '===' and instead saw '=='. (eqeqeq)\n`,
      [{ file: 'index.js', line: 8, column: 18, text: "Expected '===' and instead saw '=='. (eqeqeq)" }],
    ],
    [
      'eslint and gts',
      `version: 24\n\n${root}/src/a.ts\n  16:24  error  Expected '===' and instead saw '=='  eqeqeq\n  20:1  warning  Loud  loud\n\n✖ 2 problems\n`,
      [{ file: 'src/a.ts', line: 16, column: 24, text: "Expected '===' and instead saw '=='  eqeqeq" }],
    ],
    [
      'biome',
      'src/a.ts:54:20 lint/suspicious/noDoubleEquals  FIXABLE  ━━━\n\n  × Using == may be unsafe.\n\n  > 54 │   if (a == b) {\n',
      [{ file: 'src/a.ts', line: 54, column: 20, text: 'lint/suspicious/noDoubleEquals  FIXABLE  ━━━' }],
    ],
    [
      'prettier',
      'Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file.\n',
      [{ file: 'src/a.ts', text: '' }],
    ],
    [
      'a list of files',
      'src/a.ts\nsrc/b.ts\n',
      [
        { file: 'src/a.ts', text: '' },
        { file: 'src/b.ts', text: '' },
      ],
    ],
    ['files that do not exist', 'src/none.ts:1:1: bad\n/etc/hosts.js\n../out.js:1:1: bad\n', []],
  ])('reads %s', (_, output, findings) => {
    expect(read(output)).toEqual(findings);
  });
});
