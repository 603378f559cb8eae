import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runUntilGreen } from '../../../src/checks/narrow/until-green.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

type Tool = 'node' | 'mocha';

/** Runs a check of one test at most three times. `isGreen`: by the number of the start and of the file in it, 0-based. */
async function starts(tool: Tool, isGreen: (start: number, file: number) => boolean, text = '// a test\n') {
  const root = temporaryFolder();
  writeFiles(root, { 'test/a.test.js': text });
  const ran: (readonly string[])[] = [];
  const run = ({ files = [] }: { readonly files?: readonly string[] | undefined }) => {
    const start = ran.push(files) - 1;
    const tests = files.map((file, at) => {
      const status = isGreen(start, at) ? ('passed' as const) : ('failed' as const);
      return { id: `${file} > a`, name: 'a', file, status };
    });
    const status = tests.every((test) => test.status === 'passed') ? 'pass' : 'fail';
    return Promise.resolve({ status, tests } as unknown as CheckReport);
  };
  const { signal } = new AbortController();
  const request = { root, cacheDir: root, fresh: true, timeoutMs: 1000, signal, files: ['test/a.test.js'] };
  const { status } = await runUntilGreen({ plan: planFor(tool), run }, request, 3);
  expect(readdirSync(join(root, 'test'))).toEqual(['a.test.js']);
  return { status, files: ran.map((files) => files.length) };
}

describe('runs until a check is green', () => {
  it('are one start with copies of the file where it and they are red', async () => {
    expect(await starts('node', () => false)).toEqual({ status: 'fail', files: [3] });
  });

  it('are separate starts where a copy is green, which may have another cause', async () => {
    const onlyCopy = (start: number, file: number): boolean => start === 0 && file === 0;
    expect(await starts('node', onlyCopy)).toEqual({ status: 'fail', files: [3, 1, 1, 1] });
  });

  it('end with the first green one', async () => {
    const sometimes = (start: number, file: number): boolean => start === 2 || (start === 0 && file === 1);
    expect(await starts('node', sometimes)).toEqual({ status: 'pass', files: [3, 1, 1] });
    expect(await starts('node', () => true)).toEqual({ status: 'pass', files: [3] });
  });

  it.each<[string, Tool, string]>([
    ['the runner shares modules between files', 'mocha', ''],
    ['snapshots are stored by the name of the file', 'node', 't.assert.snapshot(1);\n'],
  ])('are separate starts where %s', async (_why, tool, text) => {
    expect(await starts(tool, () => false, text)).toEqual({ status: 'fail', files: [1, 1, 1] });
  });
});
