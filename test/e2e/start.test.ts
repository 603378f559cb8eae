import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { filesLoaded } from '../support/loaded.ts';
import { repositoryWith, temporaryFolder } from '../support/repositories.ts';

describe('the start of a command', () => {
  it.each([
    [['--version'], 200_000],
    [['reflections', 'search', 'x'], 400_000],
    [['status'], 300_000],
  ])('%j loads less than %i bytes of code', async (args, most) => {
    const files = await filesLoaded(repositoryWith({}), args);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(most);
  });
});

describe('the cache of compiled code', () => {
  const program = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
  /** Starts ralph with a cache folder; `NODE_COMPILE_CACHE` would replace ralph's choice. */
  const start = (caches: string): void => {
    const env = { PATH: process.env.PATH, HOME: caches, XDG_CACHE_HOME: caches };
    execaSync(process.execPath, [program, '--version'], { env, extendEnv: false, timeout: 20_000 });
  };

  it('lies in the user’s cache folder, accessible by the user alone', () => {
    const caches = temporaryFolder();
    start(caches);
    const folder = join(caches, 'ralph', 'compiled');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).not.toEqual([]);
  });

  it.each([0o777, 0o720])('is not used if others may write to it (mode %o)', (mode) => {
    const caches = temporaryFolder();
    const folder = join(caches, 'ralph', 'compiled');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    start(caches);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is done without where the system makes no folder', () => {
    start('/proc/none');
  });

  it('is not made in a repository', () => {
    const root = repositoryWith({});
    start(join(root, 'cache'));
    expect(existsSync(join(root, 'cache'))).toBe(false);
  });
});
