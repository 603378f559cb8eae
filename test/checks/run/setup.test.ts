import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSharedSetup } from '../../../src/checks/run/setup.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** Runs `npm run build` in a package with this script, where npm notes its start, prints this and exits with this code. */
async function build(
  script: string,
  npmExit = 0,
  npmOutput = '',
): Promise<{ root: string; failed: CheckReport | undefined }> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': JSON.stringify({ scripts: { build: script } }),
    'node_modules/.bin/npm': `#!/bin/sh\necho "$@" > npm.txt\nprintf '${npmOutput}'\nexit ${npmExit}\n`,
  });
  chmodSync(join(root, 'node_modules/.bin/npm'), 0o755);
  const plan = {
    ...({ name: 'tests', kind: 'tests', tool: 'node', args: [], env: {} } as const),
    ...{ setup: ['npm run build'], cwd: '.', weight: 1, source: 'a test' },
  };
  const request = {
    root,
    cacheDir: join(root, '.cache'),
    fresh: false,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  };
  const reports = await runSharedSetup([plan], request);
  return { root, failed: reports.get('tests') };
}

describe('the build before a check', () => {
  it('runs without the start of its package manager', async () => {
    const { root, failed } = await build('env > out.txt');
    expect(failed).toBeUndefined();
    expect(readFileSync(join(root, 'out.txt'), 'utf8')).toContain('npm_lifecycle_event=build\n');
    expect(existsSync(join(root, 'npm.txt'))).toBe(false);
  });

  it('is judged by the package manager where it fails without it', async () => {
    const { root, failed } = await build('exit 1');
    expect(failed).toBeUndefined();
    expect(readFileSync(join(root, 'npm.txt'), 'utf8')).toBe('run build\n');
  });

  it('fails where both fail', async () => {
    const { failed } = await build('exit 1', 3);
    expect(failed).toMatchObject({ status: 'fail' });
    expect(failed?.detail).toContain('The setup command failed');
  });

  it('names the error above a stack', async () => {
    const { failed } = await build('exit 1', 3, 'TypeError: no such map\\n    at a (b.js:1:2)');
    expect(failed?.detail).toContain('no such map');
  });
});
