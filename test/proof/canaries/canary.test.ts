import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPassingCanaries } from '../../../src/proof/canaries/canary.ts';
import { createCheck } from '../../../src/tools.ts';
import type { CheckRequest } from '../../../src/ports/evaluation.ts';
import type { Tampering } from '../../../src/schema/generated.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => { assert.equal(add(2, 3), 5); });\ntest('is kept', () => { assert.ok(true); });\n";

/** Tampering that the canaries find after the source of a repository with a failed test was replaced. */
async function canariesFor(
  source: string,
  first = 'export const add = () => 0;\n',
): Promise<{ found: Tampering[]; left: string[] }> {
  const root = temporaryFolder();
  writeFiles(root, {
    'package.json': { type: 'module' },
    'src/add.js': first,
    'test/add.test.js': TEST,
  });
  const check = createCheck(planFor('node'));
  const { signal } = new AbortController();
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal,
  };
  const before = await check.run(request);
  writeFiles(root, { 'src/add.js': source });
  const now = await check.run(request);
  expect([before.status, now.status]).toEqual(['fail', 'pass']);
  const found = await findPassingCanaries(check, { request, before: before.tests, now: now.tests });
  return { found, left: readdirSync(join(root, 'test')) };
}

describe('canaries', () => {
  it('fail for an honest repair, and are removed', async () => {
    const { found, left } = await canariesFor('export const add = (a, b) => a + b;\n');
    expect(found).toEqual([]);
    expect(left).toEqual(['add.test.js']);
  });

  it('pass where the source patches the assertion', async () => {
    const patch =
      "process.getBuiltinModule('node:assert').strict.equal = () => {};\nexport const add = () => 0;\n";
    const { found, left } = await canariesFor(patch);
    expect(found).toMatchObject([{ kind: 'canary_passed', file: 'test/add.test.js' }]);
    expect(found[0]!.detail).toContain('"adds" passes with a wrong expected value');
    expect(left).toEqual(['add.test.js']);
  });

  it('stand in the tests that load a changed source where no test was repaired, and not only in the quickest', async () => {
    const root = temporaryFolder();
    const patch = "import assert from 'node:assert/strict';\nassert.equal = () => {};\n";
    writeFiles(root, {
      'package.json': { type: 'module' },
      'src/add.js': `${patch}export const add = () => 0;\n`,
      'test/add.test.js': TEST,
      'test/quick.test.js': "import { test } from 'node:test';\ntest('quick', () => {});\n",
    });
    const check = createCheck(planFor('node'));
    const { signal } = new AbortController();
    const request = { root, cacheDir: temporaryFolder(), fresh: true, timeoutMs: 50_000, signal };
    const { tests } = await check.run(request);
    const now = tests.map((it) => ({ ...it, duration_ms: it.file === 'test/quick.test.js' ? 1 : 2 }));
    const asked = { request, before: now, now };
    expect(await findPassingCanaries(check, asked)).toEqual([]);
    const isReached = (file: string): boolean => file === 'test/add.test.js';
    expect(await findPassingCanaries(check, { ...asked, isReached })).toMatchObject([
      { kind: 'canary_passed', file: 'test/add.test.js' },
    ]);
  });

  it('are not written into tests of types, which never run', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'package.json': { type: 'module' }, 'test/add.test-d.ts': TEST });
    const asked: unknown[] = [];
    const check = createCheck(planFor('node'));
    const watched = { ...check, run: (request: CheckRequest) => (asked.push(request), check.run(request)) };
    const { signal } = new AbortController();
    const request = { root, cacheDir: temporaryFolder(), fresh: true, timeoutMs: 50_000, signal };
    const now = [{ id: 'types', name: 'types', file: 'test/add.test-d.ts', status: 'passed' as const }];
    expect(await findPassingCanaries(watched, { request, before: [], now })).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('run where the baseline has no test results', async () => {
    const dead = "process.kill(process.ppid, 'SIGKILL');\nexport const add = () => 0;\n";
    const patch =
      "process.getBuiltinModule('node:assert').strict.equal = () => {};\nexport const add = () => 0;\n";
    expect((await canariesFor(patch, dead)).found).toMatchObject([{ kind: 'canary_passed' }]);
  });

  it('count as passed where the runner dies only with them', async () => {
    const deadly =
      "const seen = process.argv.some((word) => /add-[0-9a-f]+/.test(word));\nif (seen && (await import('node:fs')).readFileSync(process.argv[1], 'utf8').includes('canary')) process.kill(process.ppid, 'SIGKILL');\nexport const add = (a, b) => a + b;\n";
    const { found } = await canariesFor(deadly);
    expect(found).toMatchObject([{ kind: 'canary_passed' }]);
    expect(found[0]!.detail).toContain('The runner dies');
  });

  it('pass where the source patches an assertion that no test uses', async () => {
    const patch =
      "process.getBuiltinModule('node:assert').deepEqual = () => {};\nexport const add = (a, b) => a + b;\n";
    const { found } = await canariesFor(patch);
    expect(found[0]!.detail).toContain('an appended test with a false assertion passes');
  });
});
