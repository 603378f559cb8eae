import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { readRepairs, REPAIRS_FILE } from '../../src/memory/recall/repairs.ts';
import { ralphRun } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

const PACKAGE = { name: 'clamp', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } };
const SOURCE = `export function clamp(value, low, high) {
  if (value < low) return high;
  if (value > high) return high;
  return value;
}
`;
const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp } from '../src/clamp.js';

test('keeps', () => assert.equal(clamp(5, 1, 9), 5));
test('cuts above', () => assert.equal(clamp(12, 1, 9), 9));
`;
const BELOW = "test('cuts below', () => assert.equal(clamp(0, 1, 9), 1));\n";
const IMPOSSIBLE = "test('is odd', () => assert.equal(clamp(5, 1, 9), 'five'));\n";

describe('the offline actor', { timeout: 120_000 }, () => {
  it('stores alternative edits as patches, and remembers the applied one', async () => {
    const root = repositoryWith({
      'package.json': PACKAGE,
      'src/clamp.js': SOURCE,
      'test/clamp.test.js': TESTS + BELOW,
    });
    const { exitCode, verdict } = await ralphRun(root, []);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'src/clamp.js'), 'utf8')).toContain('if (value < low) return low;');

    const folder = join(root, '.aiwg/ralph/loops', verdict.loop_id!, 'attempts/001/alternatives');
    const patches = readdirSync(folder).map((name) => join(folder, name));
    execaSync('git', ['checkout', '--quiet', '--', 'src'], { cwd: root });
    for (const patch of patches) execaSync('git', ['apply', '--check', patch], { cwd: root });
    expect(patches.length).toBeGreaterThan(0);

    expect(await readRepairs(root)).toEqual([
      expect.objectContaining({
        loop_id: verdict.loop_id,
        file_path: 'src/clamp.js',
        test_file: 'test/clamp.test.js',
        edit: expect.stringContaining('src/clamp.js: ') as string,
      }),
    ]);
  });

  it('repairs the source of built code that the tests run', async () => {
    const root = repositoryWith({
      'package.json': {
        ...PACKAGE,
        scripts: { build: 'node build.mjs', test: 'npm run build && node --test out/clamp.test.js' },
      },
      '.gitignore': 'node_modules\nout\n',
      'build.mjs': `import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
mkdirSync('out', { recursive: true });
writeFileSync('out/clamp.js', stripTypeScriptTypes(readFileSync('lib/clamp.ts', 'utf8')).replaceAll(/ +/g, ' '));
cpSync('spec/clamp.test.js', 'out/clamp.test.js');`,
      'lib/clamp.ts': SOURCE.replace(
        '(value, low, high)',
        '(value: number, low: number, high: number): number',
      ),
      'spec/clamp.test.js': (TESTS + BELOW).replace('../src/', './'),
    });
    const { exitCode, verdict } = await ralphRun(root, []);
    expect(verdict.reason).toContain('Every check passed');
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, 'lib/clamp.ts'), 'utf8')).toContain('  if (value < low) return low;');
  });

  it('remembers nothing about an unverified loop', async () => {
    const root = repositoryWith({
      'package.json': PACKAGE,
      'src/clamp.js': SOURCE,
      'test/clamp.test.js': TESTS + BELOW + IMPOSSIBLE,
      'ralph.config.json': { search: { maxCandidates: 600 } },
    });
    const { exitCode } = await ralphRun(root, ['--max-iterations', '2']);
    expect(exitCode).toBe(1);
    expect(existsSync(join(root, REPAIRS_FILE))).toBe(false);
  });
});
