/** Code that the checks run has put a link in place of its own folder when ralph writes there, outside the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { ralph } from '../support/ralph.ts';
import { NODE_TEST_FILES, repositoryWith, temporaryFolder, writeFiles } from '../support/repositories.ts';

/** The repaired source, which exchanges `src` and `test` for links at the end of its run with this number. */
function sourceFor(run: number, elsewhere: string): string {
  return `import fs from 'node:fs';
export const add = (a, b) => a + b;
export const twice = (a) => add(a, a);
process.on('exit', () => {
  fs.appendFileSync('.env.runs', 'x');
  if (fs.readFileSync('.env.runs').length !== ${run}) return;
  for (const folder of ['src', 'test']) {
    fs.renameSync(folder, '.env.' + folder);
    fs.symlinkSync(${JSON.stringify(elsewhere)}, folder);
  }
});
`;
}

describe.runIf(hasBubblewrap)('a link in place of a folder', () => {
  it.each([2, 3, 4, 5])('that run %i of the checks puts there is not written through', async (run) => {
    const elsewhere = temporaryFolder();
    const theirs = { 'add.js': 'theirs', 'add.test.js': 'theirs' };
    writeFiles(elsewhere, theirs);
    const root = repositoryWith({ ...NODE_TEST_FILES, '.gitignore': '.env*\n' });
    const text = Buffer.from(sourceFor(run, elsewhere)).toString('base64');
    await ralph(root, ['run', 'repair add', '-i', '1', '--command', `echo ${text} | base64 -d > src/add.js`]);
    for (const name of Object.keys(theirs))
      expect(readFileSync(join(elsewhere, name), 'utf8'), name).toBe('theirs');
  });
});
