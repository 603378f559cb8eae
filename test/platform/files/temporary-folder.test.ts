import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { execa, type Result } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/temporary-folder.ts');
const WAIT = 'setInterval(() => {}, 1000);';

let parent: string;
beforeEach(() => {
  parent = temporaryFolder();
});

describe('makeTemporaryFolder', () => {
  it('makes a private folder named after its kind and the process', () => {
    const folder = makeTemporaryFolder('made');
    expect(basename(folder)).toMatch(new RegExp(`^ralph-made-${process.pid}-\\w{6}$`));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, 'file'), '');
    removeTemporaryFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['returns', ''],
    ['throws', 'throw new Error("on purpose");'],
    ['calls process.exit', 'process.exit(7);'],
  ])('leaves nothing of a process that %s', async (_, ending) => {
    await start(ending).ended;
    expect(readdirSync(parent)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves nothing of a process that %s ends',
    async (signal) => {
      const program = start(WAIT);
      await program.folder;
      expect((await program.end(signal)).signal).toBe(signal);
      expect(readdirSync(parent)).toEqual([]);
    },
  );

  it('leaves nothing where a signal ends a process whose execa child is running', async () => {
    const program = start(`import { execa } from 'execa'; void execa('sleep', ['30']); ${WAIT}`);
    await program.folder;
    expect((await program.end('SIGTERM')).signal).toBe('SIGTERM');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('keeps the folder while the program handles the signal', async () => {
    const handler =
      "process.once('SIGTERM', () => setTimeout(() => { console.log(existsSync(folder)); process.exit(5); }, 100));";
    const program = start(`${handler} ${WAIT}`);
    await program.folder;
    const { exitCode, stdout } = await program.end('SIGTERM');
    expect([exitCode, stdout.split('\n')[1]]).toEqual([5, 'true']);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('removes the folders of killed processes of the same kind and of commands, and nothing else', async () => {
    const killed = start(WAIT);
    const orphan = await killed.folder;
    const pid = basename(orphan).split('-')[2]!;
    await killed.end('SIGKILL');
    expect(existsSync(orphan)).toBe(true);

    const others = [`ralph-other-${pid}-aaaaaa`, `ralph-try-${pid}`, `ralph-try-${process.pid}-aaaaaa`];
    for (const kind of ['prompt', 'trials', 'judge']) mkdirSync(join(parent, `ralph-${kind}-${pid}-aaaaaa`));
    others.push(`ralph-prompt-${process.pid}-aaaaaa`);
    for (const name of others) mkdirSync(join(parent, name));
    writeFileSync(join(parent, `ralph-try-${pid}-bbbbbb`), 'a file');
    symlinkSync(temporaryFolder(), join(parent, `ralph-try-${pid}-cccccc`));
    const running = start(WAIT);
    await running.folder;
    await start('').ended;

    const kept = [...others, `ralph-try-${pid}-bbbbbb`, `ralph-try-${pid}-cccccc`];
    expect(readdirSync(parent).sort()).toEqual([...kept, basename(await running.folder)].sort());
    await running.end('SIGTERM');
  });
});

interface Program {
  /** The folder that the program has made. */
  readonly folder: Promise<string>;
  readonly ended: Promise<Result>;
  end(signal: NodeJS.Signals): Promise<Result & { stdout: string }>;
}

/** Starts a process that makes a folder of the kind `try` in `parent`, prints its path and goes on with `code`. */
function start(code: string): Program {
  const program = [
    "import { existsSync } from 'node:fs';",
    `import { makeTemporaryFolder } from ${JSON.stringify(MODULE)};`,
    "const folder = makeTemporaryFolder('try');",
    'console.log(folder);',
    code,
  ].join('\n');
  const child = execa(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { TMPDIR: parent },
    reject: false,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const folder = lines.next().then(({ value }) => value as string);
  return {
    folder,
    ended: child,
    async end(signal) {
      child.kill(signal);
      return child;
    },
  };
}
