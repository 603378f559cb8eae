import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runGit } from '../../../src/platform/git/git.ts';
import { userGit } from '../../../src/platform/git/user-git.ts';

const TOKEN = 'AUTHORIZATION: basic c2VjcmV0';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-user-git-'));
  execaSync('git', ['init', '-q', '-b', 'main', root]);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** Puts a shell script called git first on the PATH. */
function installGit(script: string): void {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'git'), 0o755);
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
}

const RUNNERS = [
  [
    'userGit',
    async (args: string[], config = {}) => {
      const answer = await userGit({ cwd: root, config }, (git) => git.raw(args));
      return answer.ok ? answer.value : answer.outcome.stderr;
    },
  ],
  [
    'runGit',
    async (args: string[], config = {}) => {
      const { stdout, stderr } = await runGit(args, { cwd: root, config });
      return `${stdout.toString()}${stderr}`;
    },
  ],
] as const;

describe.each(RUNNERS)('%s', (_, run) => {
  it('ignores the repository that the environment of ralph names', async () => {
    vi.stubEnv('GIT_DIR', '/nowhere');
    vi.stubEnv('GIT_INDEX_FILE', '/nowhere/index');
    expect((await run(['rev-parse', '--show-toplevel'])).trim()).toBe(root);
  });

  it('passes configuration in the environment and not in the arguments', async () => {
    installGit('echo "$@"\nenv | grep ^GIT_CONFIG_');
    const printed = await run(['version'], { 'http.https://example.com.extraheader': TOKEN });
    const [args, ...variables] = printed.trim().split('\n');
    expect(args).toContain('version');
    expect(args).not.toContain('c2VjcmV0');
    expect(variables).toContain(`GIT_CONFIG_VALUE_0=${TOKEN}`);
  });

  it('reports that git is not installed', async () => {
    vi.stubEnv('PATH', join(root, 'empty'));
    await expect(run(['version'])).rejects.toMatchObject({
      code: 'repository_unusable',
      exitCode: 4,
      message: expect.stringContaining('git is not installed'),
    });
  });
});

describe('userGit', () => {
  it('returns exit code and output of a command that fails without a message', async () => {
    const answer = await userGit({ cwd: root }, (git) => git.revparse(['--verify', '--quiet', 'HEAD']));
    expect(answer).toEqual({ ok: false, outcome: { exitCode: 1, stdout: Buffer.of(), stderr: '' } });
  });

  it.each([
    [true, 'ran'],
    [false, ''],
  ])('with hooks: %j the hooks of the repository leave %j', async (hooks, expected) => {
    const hook = join(root, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(hook, '..'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\nprintf ran > log\n');
    chmodSync(hook, 0o755);
    writeFileSync(join(root, 'log'), '');
    const variables = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const answer = await userGit({ cwd: root, hooks, variables }, (git) =>
      git.raw(['commit', '--quiet', '--allow-empty', '-m', 'x']),
    );
    expect(answer.ok).toBe(true);
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe(expected);
  });

  it('ends a command at its time-out', async () => {
    installGit('exec sleep 30');
    const started = performance.now();
    const answer = await userGit({ cwd: root, timeoutMs: 200 }, (git) => git.raw(['version']));
    expect(answer).toMatchObject({ ok: false, outcome: { exitCode: null } });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
