import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import {
  runProcess,
  type ProcessOutcome,
  type ProcessRequest,
} from '../../../src/platform/processes/process.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

async function sandboxOf(root: string, network = false): Promise<Sandbox> {
  const place = { root, repository: root, dependencies: [] };
  const policy = () => workspacePolicy(place, { network, passEnv: [], read: [], write: [] });
  return (await openSandbox({ mode: 'strict', policy, engine: 'bubblewrap', isForeign: false })).sandbox!;
}

async function run(program: Partial<ProcessRequest>, change = (it: Sandbox) => it): Promise<ProcessOutcome> {
  const root = temporaryFolder();
  const sandbox = change(await sandboxOf(root));
  return runProcess({ cwd: root, env: childEnvironment(), sandbox, ...program });
}

/** True as soon as the condition holds, false if it does not hold in time. */
async function within(condition: () => boolean, ms = 20_000): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await delay(20))
    if (condition()) return true;
  return condition();
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Asks a server of its own, by its name. */
const LOCAL = `const server = require("http").createServer((_, answer) => answer.end()).listen(0, async () => {
  await fetch("http://localhost:" + server.address().port);
  server.close();
});`;

describe.runIf(hasBubblewrap)('a program in bubblewrap', () => {
  it('has the exit code, output and input that it has outside', async () => {
    expect(await run({ shell: 'cat; echo told >&2; exit 3', input: 'given' })).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: 'given',
      stderr: 'told\n',
    });
  });

  it('reports the signal that ended it, without a word of a shell', async () => {
    const ended = { exitCode: null, signal: 'SIGKILL', stderr: 'told\n' };
    expect(await run({ shell: 'echo told >&2; kill -9 $$' })).toMatchObject(ended);
  });

  it('ends with exit code 127 if it does not exist', async () => {
    const { exitCode, failure } = await run({ file: 'no-such-program' });
    expect([exitCode, failure]).toEqual([127, undefined]);
  });

  it('fails with the reason if the sandbox cannot be created', async () => {
    const { exitCode, failure } = await run({ shell: 'true' }, (it) =>
      it.allowing({ write: ['/no/such/folder'] }),
    );
    expect(exitCode).toBeNull();
    expect(failure).toMatch(/^the sandbox could not be started: .*\/no\/such\/folder/);
  });

  it('may print a message of bubblewrap without being taken for a broken sandbox', async () => {
    expect(await run({ shell: 'echo "bwrap: no" >&2; exit 2' })).toMatchObject({ exitCode: 2 });
  });

  it('can write the allowed folders only', async () => {
    const [allowed, closed] = [temporaryFolder(), temporaryFolder()];
    await run({ shell: `echo x > ${allowed}/x; mkdir -p ${closed}; echo x > ${closed}/x` }, (it) =>
      it.allowing({ write: [allowed] }),
    );
    expect([existsSync(join(allowed, 'x')), existsSync(join(closed, 'x'))]).toEqual([true, false]);
  });

  it('can read, but not change, a read-only path', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { file: 'text' });
    const outcome = await run({ shell: `cat ${folder}/file; echo x > ${folder}/file` }, (it) =>
      it.allowing({ read: [folder] }),
    );
    expect(outcome).toMatchObject({ stdout: 'text', exitCode: 2 });
  });

  it.each([
    ['plain', '[user]\n  name = Ada L\n\temail = ada@example.org\n\tsigningkey = KEY\n', 'Ada L'],
    [
      'quoted',
      '[user]\n\tname = Ada \\"A\\" L ; x\n\temail = ada@example.org\n\tsigningkey = KEY\n',
      'Ada "A" L',
    ],
    ['on one line', '[user] name = Ada\n[user]\nemail = ada@example.org\n[user "x"]\nname = B\n', 'Ada'],
  ])(
    'commits with the user’s name for git, which the repository’s and the global settings replace, and has no other setting: %s',
    async (_, config, name) => {
      const home = temporaryFolder();
      writeFiles(home, { '.gitconfig': `${config}[alias]\n\tco = checkout\n` });
      vi.stubEnv('HOME', home);
      vi.stubEnv('XDG_CONFIG_HOME', undefined);
      const shell = [
        'git init -q a && cd a && git commit -q --allow-empty -m x && git log -1 --format="%an <%ae>"',
        'git config --global user.name Global && git config user.name',
        'git config user.name Local && git config user.name',
        'git config --get-regexp "signing|alias" || echo nothing else',
      ].join('; ');
      const { stdout, stderr } = await run({ shell, env: childEnvironment() });
      const expected = `${name} <ada@example.org>\nGlobal\nLocal\nnothing else\n`;
      expect([stdout, stderr]).toEqual([expected, '']);
    },
  );

  it('gets what the files name that the user’s settings include', async () => {
    const home = temporaryFolder();
    writeFiles(home, { '.gitconfig': '[include]\n\tpath = other\n', other: '[user]\n\tname = Ada\n' });
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', undefined);
    expect((await run({ shell: 'git config user.name', env: childEnvironment() })).stdout).toBe('Ada\n');
  });

  it('leaves no process running, not even one in another session', async () => {
    const folder = temporaryFolder();
    const hidden = `env -i setsid sh -c "touch ${folder}/begun; sleep 0.5; touch ${folder}/survived" &`;
    const begun = `while [ ! -e ${folder}/begun ]; do sleep 0.02; done`;
    await run({ shell: `${hidden} ${begun}` }, (it) => it.allowing({ write: [folder] }));
    await delay(800);
    expect(readdirSync(folder)).toEqual(['begun']);
  });

  it.each([
    ['ends', 'is killed', true],
    ['begins', 'goes on', false],
  ])('%s if the process that asked for it %s before the sandbox stands', async (_, __, isKilled) => {
    const folder = temporaryFolder();
    const asking = execa(process.execPath, [join(import.meta.dirname, 'late-start.ts'), folder], {
      reject: false,
    });
    await within(() => existsSync(join(folder, 'asked')));
    if (isKilled) asking.kill('SIGKILL');
    const begun = await within(() => existsSync(join(folder, 'begun')), 2_000);
    asking.kill('SIGKILL');
    expect(begun).toBe(!isKilled);
  });

  it('begins only after the first process of the sandbox has asked the kernel to end with ralph', async () => {
    // A first process of bubblewrap's own may ask later, and bubblewrap may have been killed by then.
    const { stdout } = await run({ shell: 'tr "\\0" "\\n" < /proc/1/cmdline; echo "parent $PPID"' });
    expect(stdout).toMatch(/^\/bin\/sh\n-c\n/);
    expect(stdout).toMatch(/^parent 1$/m);
  });

  it('has no process of the sandbox left that has ended', async () => {
    const shell =
      'for i in 1 2 3; do (sleep 0.05 &); done; sleep 0.5; grep -l "^State:.Z" /proc/[0-9]*/status';
    expect(await run({ shell })).toMatchObject({ stdout: '', exitCode: 1 });
  });

  it('has a network only if the policy allows it', async () => {
    const root = temporaryFolder();
    const interfaces = async (network: boolean): Promise<number> => {
      const sandbox = await sandboxOf(root, network);
      const shell = 'readlink /proc/self/ns/net';
      const [inside, outside] = await Promise.all(
        [sandbox, undefined].map((it) =>
          runProcess({ shell, cwd: root, env: childEnvironment(), sandbox: it }),
        ),
      );
      return Number(inside!.stdout === outside!.stdout);
    };
    expect([await interfaces(false), await interfaces(true)]).toEqual([0, 1]);
  });

  it.each([
    ['an address', `node -e 'require("net").connect(9, "192.0.2.1").on("error", () => {})'`, true],
    ['a name', `node -e 'require("dns").lookup("example.org", () => {})'`, true],
    ['its own server alone', `node -e '${LOCAL}'`, undefined],
    ['nothing', 'exit 1', undefined],
  ])('says whether it asked for the network: %s', async (_, shell, asked) => {
    const { askedNetwork, stdout } = await run({ shell });
    expect([askedNetwork, stdout]).toEqual([asked, '']);
  });

  it('says nothing of the network that it has', async () => {
    const root = temporaryFolder();
    const sandbox = await sandboxOf(root, true);
    const shell = `node -e 'require("net").connect(9, "127.0.0.1").on("error", () => {})'`;
    const outcome = await runProcess({ shell, cwd: root, env: childEnvironment(), sandbox });
    expect(outcome).not.toHaveProperty('askedNetwork');
  });
});
