import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/repositories.ts';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/file-errors.ts');
const hasSandbox = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;

it.skipIf(!hasSandbox).each(['rmSync', 'writeFileSync'])(
  'reads the refusal of %s on a disk that cannot be written',
  (name) => {
    const folder = join(temporaryFolder(), 'disk');
    mkdirSync(folder);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const program = `
      import fs from 'node:fs';
      import { refusedBySystem } from ${JSON.stringify(MODULE)};
      try { fs.${name}(${JSON.stringify(file)}, ${name === 'rmSync' ? '{ force: true }' : "''"}); }
      catch (error) { const { message, exitCode } = refusedBySystem(error); console.log(JSON.stringify({ message, exitCode })); }`;
    const args = ['--dev-bind', '/', '/', '--ro-bind', folder, folder, process.execPath];
    const { stdout } = spawnSync('bwrap', [...args, '--input-type=module-typescript', '-e', program], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({
      message: expect.stringMatching(/^Could not write .*file: (EROFS: )?read-only file system/i),
      exitCode: 4,
    });
  },
);
