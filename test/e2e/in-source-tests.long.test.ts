import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

function repository(): string {
  return repositoryWith(
    {
      'package.json': { name: 'adder', type: 'module', scripts: { test: 'vitest run' } },
      'vitest.config.js': "export default { test: { includeSource: ['src/**/*.js'] } };\n",
      'src/add.js':
        'export const add = (a, b) => a - b;\n\nif (import.meta.vitest) {\n  const { expect, test } = import.meta.vitest;\n  test("adds", () => expect(add(2, 3)).toBe(5));\n}\n',
    },
    ['vitest'],
  );
}

describe('a source with vitest’s tests in it', () => {
  it('is repaired', async () => {
    const root = repository();
    const run = await ralphRun(root, ['--command', "sed -i 's/a - b/a + b/' src/add.js", '-i', '1']);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true } });
    expect(readFileSync(join(root, 'src/add.js'), 'utf8')).toContain('a + b');
  });

  it.each([
    ['changed', "sed -i 's/toBe(5)/toBe(-1)/' src/add.js"],
    ['removed', "sed -i '/^if/,$d' src/add.js"],
    ['asked for elsewhere', "sed -i 's/a - b/import.meta.vitest ? 5 : a - b/' src/add.js"],
  ])('is restored if its tests are %s', async (_, command) => {
    const root = repository();
    const run = await ralphRun(root, ['--command', command, '-i', '1']);
    expect(run, run.stderr).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(run.verdict.reason).toContain('protected files (src/add.js)');
  });
});
