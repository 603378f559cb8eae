import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import type { ProcessOutcome } from '../../../src/platform/processes/process.ts';
import { findEngine } from '../../../src/platform/sandbox/find-engine.ts';
import { dividedEnvironment, runtimeSettings } from '../../../src/platform/sandbox/sandbox-runtime.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const ROOT = join(import.meta.dirname, '../../..');

/** On Linux it needs socat and ripgrep too, and a user who can read this repository. */
const works =
  hasBubblewrap &&
  ['socat', 'rg'].every(
    (name) => execaSync(name, ['--version'], { stdio: 'ignore', reject: false }).code === undefined,
  ) &&
  !execaSync('cat', [join(ROOT, 'package.json')], { ...user, cwd: '/', stdio: 'ignore', reject: false })
    .failed;

/** Runs as an ordinary user, because sandbox-runtime is refused for root. */
function run(
  command: string,
  files: Readonly<Record<string, string>> = {},
): ProcessOutcome & { root: string } {
  const root = mkdtempSync(join(tmpdir(), 'ralph-runtime-'));
  writeFiles(root, { 'loaded.cjs': '', ...files });
  if (isRoot) for (const path of [root, join(root, 'loaded.cjs')]) chownSync(path, NOBODY, NOBODY);
  const program = join(ROOT, 'test', 'support', 'confined-program.ts');
  const env = { PATH: process.env['PATH'], HOME: root, SECRET_KEY: 'hunter2hunter2' };
  const { stdout, stderr } = execaSync(process.execPath, [program, root, command], {
    ...user,
    cwd: '/',
    env,
    extendEnv: false,
    reject: false,
  });
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as ProcessOutcome), root };
}

describe.runIf(works)('a program in sandbox-runtime', { timeout: 60_000 }, () => {
  it('has its usual exit code and output, and can write the workspace and temporary files', () => {
    const { exitCode, stdout, root } = run(
      'echo "it\'s $((1+1))"; echo x > made; mktemp > /dev/null && exit 3',
    );
    expect([exitCode, stdout]).toEqual([3, "it's 2\n"]);
    expect(readdirSync(root)).toContain('made');
    rmSync(root, { recursive: true });
  });

  it('cannot write elsewhere, and sees no foreign temporary file, secret variable or network', () => {
    const other = mkdtempSync('/var/tmp/ralph-other-');
    const attack = `ls ${other}; echo x > /var/tmp/new-file; echo "$SECRET_KEY"; exec 3<>/dev/tcp/1.1.1.1/80 && echo reached`;
    const { stdout, root } = run(attack);
    expect(stdout).toBe('\n');
    expect(existsSync('/var/tmp/new-file')).toBe(false);
    for (const folder of [root, other]) rmSync(folder, { recursive: true });
  });

  it('makes no setuid file, and is under a second filter of kernel calls', () => {
    const filters = "sed -n 's/Seccomp_filters:.//p' /proc/self/status";
    const { root, stdout } = run(`cp /bin/true tool; chmod u+s tool || echo refused; ${filters}`);
    const [refused, count] = stdout.trim().split('\n');
    expect(refused).toBe('refused');
    expect(Number(count)).toBeGreaterThan(1);
    rmSync(root, { recursive: true });
  });

  it('loads code that a variable names only inside', () => {
    // Prints its arguments; outside of the sandbox these would be those of the sandbox's own program.
    const { stdout, root } = run('node -e 0', { 'loaded.cjs': 'console.log(process.argv.length)\n' });
    expect(stdout).toBe('1\n');
    rmSync(root, { recursive: true });
  });
});

describe('sandbox-runtime', () => {
  const policy = { write: [], read: [], hide: [], blank: [], scratch: [], network: false, passEnv: [] };

  it.runIf(isRoot && process.platform === 'linux')(
    'is refused to root on Linux, with what to do',
    async () => {
      const found = await findEngine('sandbox-runtime', { ...policy, write: [temporaryFolder()] });
      expect(found).toMatchObject({
        problem: expect.stringContaining('settings of the kernel') as string,
        hint: expect.stringContaining('bubblewrap') as string,
      });
    },
  );

  it.runIf(!isRoot && works)('is refused where the whole network is to be opened', async () => {
    const found = await findEngine('sandbox-runtime', {
      ...policy,
      write: [temporaryFolder()],
      network: true,
    });
    expect(found).toMatchObject({ problem: expect.stringContaining('network') as string });
  });

  it('gets the policy as its own settings', () => {
    const visible = (path: string) => ({ from: path, at: path });
    const { filesystem, network } = runtimeSettings('/opt/runtime/dist/cli.js', {
      write: ['/w'],
      read: [visible('/home/me/tools'), visible('/w/.git')],
      hide: ['/home'],
      blank: ['/etc/shadow'],
      scratch: [],
    });
    expect(network).toEqual({ allowedDomains: [], deniedDomains: [] });
    expect(filesystem).toEqual({
      denyRead: ['/home', '/etc/shadow'],
      allowRead: ['/w', '/home/me/tools', '/w/.git', '/opt/runtime'],
      allowWrite: ['/w'],
      denyWrite: ['/w/.git'],
    });
  });

  it('has no variable in its own environment that loads code of a workspace', () => {
    const { outer, inner } = dividedEnvironment({
      PATH: '/w/node_modules/.bin:relative:/usr/bin',
      NODE_OPTIONS: '--require ./evil.cjs',
      LD_PRELOAD: '/w/evil.so',
      BASH_ENV: '/w/evil.sh',
      LANG: 'C',
    });
    expect(outer).toEqual({ PATH: '/usr/bin', LANG: 'C', SHLVL: '1' });
    expect(inner).toMatchObject({ PATH: '/w/node_modules/.bin:relative:/usr/bin', BASH_ENV: '/w/evil.sh' });
  });
});
