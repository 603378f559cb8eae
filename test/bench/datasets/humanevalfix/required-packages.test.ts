import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import {
  linkRequiredPackages,
  requiredPackages,
} from '../../../../bench/datasets/humanevalfix/required-packages.ts';
import { temporaryFolder } from '../../../support/repositories.ts';

describe('requiredPackages', () => {
  it('returns packages without Node modules and relative files', () => {
    const program = [
      "var md5 = require('js-md5')",
      'const fs = require("node:fs"); const path = require("path")',
      "import('./beside.js'); import('@scope/name/deep')",
      "import { x } from 'picomatch'; require('js-md5')",
    ].join('\n');
    expect(requiredPackages(program)).toEqual(['js-md5', '@scope/name', 'picomatch']);
  });
});

describe('linkRequiredPackages', () => {
  it('links installed packages and leaves out the others', async () => {
    const root = temporaryFolder();
    const program = "const md5 = require('js-md5');\nconsole.log(md5(''));\n";
    writeFileSync(join(root, 'program.cjs'), program);
    await linkRequiredPackages(root, `${program}require('not-installed-anywhere')`);
    const { stdout } = execaSync(process.execPath, ['program.cjs'], { cwd: root, reject: false });
    expect(stdout.trim()).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(existsSync(join(root, 'node_modules', 'not-installed-anywhere'))).toBe(false);
  });
});
