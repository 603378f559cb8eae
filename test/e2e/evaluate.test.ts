import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { ralph } from '../support/ralph.ts';
import {
  commitAll,
  git,
  repositoryWith,
  temporaryFolder,
  writeFiles,
  type Files,
} from '../support/repositories.ts';

const ADD = 'export const add = (a, b) => a + b;\n';
const FILES: Files = {
  'package.json': { type: 'module', scripts: { test: 'node --test && node log.js' } },
  '.gitignore': '.env\nnode_modules\n',
  // Only the test script runs it.
  'log.js': `import { existsSync } from 'node:fs'; process.exit(existsSync('broken') ? 1 : 0);`,
  'add.js': ADD,
  'add.test.js': `import { test } from 'node:test'; import assert from 'node:assert'; import { add } from './add.js';
test('adds', () => assert.equal(add(1, 2), 3));`,
};

interface Result {
  readonly exitCode: number | null;
  readonly reason: string;
  /** The checks that ran. */
  readonly ran: number;
  /** Failed tests and ended checks, in order. */
  readonly order: readonly string[];
}

function evaluator(root: string): (...args: string[]) => Promise<Result> {
  const workspaces = temporaryFolder();
  return async (...args) => {
    const line = ['evaluate', '--format', 'jsonl', ...args];
    const { exitCode, stdout } = await ralph(root, line, { env: { TMPDIR: workspaces } });
    const events = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as RunEvent);
    const last = events.find((event) => event.type === 'loop_finished');
    const ran = events.filter((event) => event.type === 'check_finished').length;
    const order = events
      .map(({ type }) => type)
      .filter((type) => /^(test_failed|check_finished)$/.test(type));
    return { exitCode, reason: last?.verdict.reason ?? '', ran, order };
  };
}

describe('an evaluation', () => {
  test('answers a green tree that has not changed from the record, and everything else by running the checks', async () => {
    const root = repositoryWith(FILES);
    const evaluate = evaluator(root);
    const known =
      /^Every check passes\. Nothing has changed since they ran at .* UTC; --fresh runs them again\.$/;
    expect(await evaluate()).toMatchObject({ exitCode: 0, reason: 'Every check passes.', ran: 1 });
    expect(await evaluate()).toMatchObject({ exitCode: 0, reason: expect.stringMatching(known), ran: 0 });
    expect(await evaluate('--fresh')).toMatchObject({ exitCode: 0, ran: 1 });

    writeFileSync(join(root, 'add.js'), `${ADD}// changed\n`);
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 1 });
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 0 });
    writeFileSync(join(root, '.env'), 'A=1');
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 1 });
    expect(await evaluate('--check-timeout', '50s')).toMatchObject({ exitCode: 0, ran: 1 });

    writeFileSync(join(root, 'add.js'), ADD.replace('+', '-'));
    const order = ['test_failed', 'check_finished'];
    for (let time = 0; time < 2; time++) expect(await evaluate()).toMatchObject({ exitCode: 1, order });
  });

  test.each([
    ['a nested repository', 'nested'],
    ['a linked folder', 'linked'],
  ])('runs the checks again where they read %s, whose changes leave no trace', async (_, kind) => {
    const folder = kind === 'nested' ? 'lib' : temporaryFolder();
    const test = FILES['add.test.js'] as string;
    const root = repositoryWith({
      ...FILES,
      'package.json': { type: 'module', scripts: { test: 'node --test' } },
      'add.test.js': test.replace('./add.js', kind === 'nested' ? './lib/add.js' : 'lib'),
    });
    const at = resolve(root, folder);
    if (kind === 'nested') {
      writeFiles(at, { 'add.js': ADD });
      git(at, 'init', '--quiet');
      commitAll(at);
    } else {
      writeFiles(at, { 'package.json': { name: 'lib', type: 'module', exports: './add.js' }, 'add.js': ADD });
      mkdirSync(join(root, 'node_modules'));
      symlinkSync(at, join(root, 'node_modules/lib'));
    }
    const evaluate = evaluator(root);
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 1 });
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 1 });
    writeFileSync(join(at, 'add.js'), ADD.replace('+', '-'));
    expect(await evaluate()).toMatchObject({ exitCode: 1, ran: 1 });
  });

  test('fails for a limit of coverage that only the test script knows', async () => {
    const script = 'node --test --experimental-test-coverage --test-coverage-lines=100';
    const root = repositoryWith({ ...FILES, 'package.json': { type: 'module', scripts: { test: script } } });
    const evaluate = evaluator(root);
    expect(await evaluate()).toMatchObject({ exitCode: 0, reason: 'Every check passes.', ran: 1 });
    writeFileSync(join(root, 'add.js'), `${ADD}export function unused() {\n  return 1;\n}\n`);
    const reason = expect.stringMatching(
      /ended with exit code 1: the coverage may be below the limit/,
    ) as string;
    expect(await evaluate()).toMatchObject({ exitCode: 1, reason, ran: 1 });
    writeFileSync(join(root, 'add.js'), `${ADD}// changed\n`);
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 1 });
  });

  test('is confirmed by the test command after every change', async () => {
    const root = repositoryWith({ ...FILES, broken: '' });
    const evaluate = evaluator(root);
    const refused = 'Every check is green, but `npm test` exited 1';
    expect(await evaluate()).toMatchObject({
      exitCode: 1,
      reason: expect.stringContaining(refused) as string,
    });
    expect(await evaluate()).toMatchObject({
      exitCode: 1,
      reason: expect.stringContaining(refused) as string,
    });
    rmSync(join(root, 'broken'));
    expect(await evaluate()).toMatchObject({ exitCode: 0, reason: 'Every check passes.' });
    expect(await evaluate()).toMatchObject({ exitCode: 0, ran: 0 });

    writeFileSync(join(root, 'broken'), '');
    expect(await evaluate()).toMatchObject({
      exitCode: 1,
      reason: expect.stringContaining(refused) as string,
    });
  });
});
