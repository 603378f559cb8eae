import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa, type ResultPromise } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, lockHolder, type Holder } from '../../src/state/lock.ts';

const MODULE = join(import.meta.dirname, '../../src/state/lock.ts');
const YIELDS =
  "{ loopId: 'theirs', command: 'gate', yielding: { work: 'files of now', onAsked: () => lock.release() } }";
const OURS = { loopId: 'ralph-ours', command: 'run' };

let root: string;
let children: ResultPromise[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-lock-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A process of its own that holds the lock until it is killed; resolves when it has it. */
async function holdElsewhere(
  how = "{ loopId: 'ralph-theirs', command: 'resume' }",
): Promise<{ child: ResultPromise; stderr: () => string }> {
  const script = `
    import { acquireLock } from ${JSON.stringify(MODULE)};
    const lock = acquireLock(${JSON.stringify(root)}, ${how});
    console.log('held');
    setInterval(() => {}, 1000);
  `;
  const child = execa(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH },
    extendEnv: false,
    reject: false,
  });
  children.push(child);
  let stderr = '';
  child.stderr.on('data', (data) => (stderr += String(data)));
  await Promise.race([once(child.stdout, 'data'), child.then(() => Promise.reject(new Error(stderr)))]);
  return { child, stderr: () => stderr };
}

async function kill(child: ResultPromise): Promise<void> {
  child.kill('SIGKILL');
  await child;
}

describe('acquireLock', () => {
  it('refuses a second holder, and names the first one and the remedy', async () => {
    const { child } = await holdElsewhere();
    const attempt = (): unknown => acquireLock(root, OURS);
    expect(attempt).toThrow(expect.objectContaining({ code: 'locked', exitCode: 4 }));
    expect(attempt).toThrow(
      new RegExp(`ralph resume \\(process ${child.pid!}, loop ralph-theirs, since \\d{4}-`),
    );
    expect(attempt).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/ralph status[^]*ralph abort/) }),
    );
  });

  it('is free as soon as its holder is killed', async () => {
    const { child } = await holdElsewhere();
    await kill(child);
    expect(lockHolder(root)).toBeNull();
    const lock = acquireLock(root, OURS);
    expect(lockHolder(root)).toMatchObject({ pid: process.pid, loopId: 'ralph-ours', command: 'run' });
    lock.release();
  });

  it('is given back by a holder that yields, if that is asked for', async () => {
    const { child } = await holdElsewhere(YIELDS);
    expect(lockHolder(root)).toMatchObject({ yieldsFrom: 'files of now' });
    const isOther = ({ yieldsFrom }: Holder): boolean => yieldsFrom !== 'files of now';
    expect(() => acquireLock(root, { ...OURS, asks: isOther })).toThrow(
      expect.objectContaining({ code: 'locked' }),
    );
    expect(lockHolder(root)).toMatchObject({ pid: child.pid });
    const lock = acquireLock(root, OURS);
    expect(lockHolder(root)).toMatchObject({ pid: process.pid, yieldsFrom: null });
    lock.release();
    // The question was for that holder alone.
    await holdElsewhere(YIELDS);
    await setTimeout(300);
    expect(lockHolder(root)).toMatchObject({ yieldsFrom: 'files of now' });
  });

  it('stays with a stopped holder', async () => {
    const { child } = await holdElsewhere();
    child.kill('SIGSTOP');
    expect(() => acquireLock(root, OURS)).toThrow(expect.objectContaining({ code: 'locked' }));
    expect(lockHolder(root)).toMatchObject({ pid: child.pid });
    child.kill('SIGCONT');
    expect(() => acquireLock(root, OURS)).toThrow(expect.objectContaining({ code: 'locked' }));
  });

  it('excludes a second holder in the same process until it is released', () => {
    const lock = acquireLock(root, OURS);
    expect(() => acquireLock(root, OURS)).toThrow(expect.objectContaining({ code: 'locked' }));
    lock.release();
    lock.release();
    const again = acquireLock(root, { loopId: 'ralph-again', command: 'run' });
    expect(again.holder.loopId).toBe('ralph-again');
    again.release();
    expect(lockHolder(root)).toBeNull();
  });

  it('goes to exactly one of many processes', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 4 }, () => holdElsewhere()));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('prints nothing while it is held', async () => {
    const { stderr } = await holdElsewhere();
    expect(stderr()).toBe('');
  });

  it('reports a lock file that cannot be created', () => {
    mkdirSync(join(root, '.aiwg/ralph/lock.sqlite'), { recursive: true });
    expect(() => acquireLock(root, OURS)).toThrow(
      expect.objectContaining({ code: 'workspace_unwritable', exitCode: 4 }),
    );
  });

  it('reports a damaged lock file and how to remove it', () => {
    mkdirSync(join(root, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(root, '.aiwg/ralph/lock.sqlite'), 'no database '.repeat(100));
    const expected = expect.objectContaining({
      code: 'state_damaged',
      exitCode: 7,
      hint: expect.stringContaining('rm '),
    });
    expect(() => acquireLock(root, OURS)).toThrow(expected);
    expect(() => lockHolder(root)).toThrow(expected);
  });
});

describe('lockHolder', () => {
  it('is null if no lock was ever taken, and creates no file', () => {
    expect(lockHolder(root)).toBeNull();
    expect(() => rmSync(join(root, '.aiwg'))).toThrow('ENOENT');
  });

  it('has null fields if the note cannot be read', () => {
    const lock = acquireLock(root, OURS);
    writeFileSync(join(root, '.aiwg/ralph/lock.sqlite.holder.json'), '{"pid": "x", ');
    expect(lockHolder(root)).toEqual({
      pid: null,
      host: null,
      loopId: null,
      command: null,
      since: null,
      yieldsFrom: null,
    });
    expect(() => acquireLock(root, OURS)).toThrow('in use by another ralph process');
    lock.release();
  });
});
