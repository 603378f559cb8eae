import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestIds } from '../../../src/checks/results/test-ids.ts';
import { withoutSetup } from '../../../src/checks/run/setup.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import type { CheckPlan, CommandPlan } from '../../../src/ports/plan.ts';
import { startAside } from '../../../src/proof/verify/aside.ts';
import type { Verification } from '../../../src/proof/verify/verification.ts';
import type { Evaluation } from '../../../src/schema/generated.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TEST =
  "import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds', () => { assert.equal(readFileSync('made.txt', 'utf8'), 'made'); assert.equal(add(2, 3), 5); });\n";
/** Changes nothing. */
const SANDBOX: Sandbox = {
  engine: 'bubblewrap',
  allowing: () => SANDBOX,
  enclose: (call) => Promise.resolve(call),
  failureIn: () => undefined,
};

/** The runs in a second checkout with these further files, of a check whose test was repaired. */
async function asideWith(
  more: Readonly<Record<string, string>>,
  report: Partial<CheckReport> = {},
  args: readonly string[] = [],
  built: {
    readonly plan?: Partial<CheckPlan>;
    readonly testCommand?: CommandPlan;
    readonly audit?: (since?: number) => void;
  } = {},
) {
  const files = {
    'package.json': { type: 'module' },
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'test/add.test.js': TEST,
  };
  const [root, second] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, { ...files, 'made.txt': 'made' });
  writeFiles(second, { ...files, ...more });
  const plan = planFor('node', { args, ...built.plan });
  const check = createCheck(withoutSetup(plan));
  const { signal } = new AbortController();
  const request = {
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: true,
    timeoutMs: 50_000,
    signal,
  };
  const now = { ...(await check.run(request)), duration_ms: 200, ...report };
  const tests = now.tests.map((test) => ({ ...test, status: 'failed' as const }));
  const verification = {
    plan: { checks: [plan], testCommand: built.testCommand },
    ...{ checks: [check], request: { ...request, sandbox: SANDBOX }, reports: [now], sandbox: SANDBOX },
    ...{ since: 7, evaluation: { audit: built.audit } },
    ids: { bare: (_name, all) => all } as Pick<TestIds, 'bare'>,
  } as unknown as Verification;
  const place = { root: second, repository: root, sandbox: SANDBOX, close: async () => {} };
  const aside = startAside({ tests, checks: [] } as unknown as Evaluation, verification, () =>
    Promise.resolve(place),
  );
  return { aside, check, root, second };
}

describe('runs in a second checkout', () => {
  it('count where unchanged copies of the tests pass in it', async () => {
    const { aside, check, second } = await asideWith({ 'made.txt': 'made' });
    expect(await aside!.canaries(check)).toMatchObject({
      tampering: [],
      canFail: new Set(['test/add.test.js']),
    });
    expect(await aside!.request(check)).toMatchObject({ root: second, sandbox: SANDBOX });
  });

  it('do not count where the tests lack a file that an earlier run made in the first one', async () => {
    const { aside, check } = await asideWith({});
    expect(await aside!.canaries(check)).toBeUndefined();
    expect(await aside!.request(check)).toBeUndefined();
  });

  describe('of a runner that loads files once', () => {
    const args = ['--test-isolation=none'];

    it('count where the files pass each time', async () => {
      const { aside, check, second } = await asideWith({ 'made.txt': 'made' }, {}, args);
      const { rounds } = (await aside!.canaries(check))!;
      expect(rounds.map((round) => round.map(({ name, status }) => [name, status]))).toEqual(
        Array.from({ length: 3 }, () => [['adds', 'passed']]),
      );
      expect(await aside!.request(check)).toMatchObject({ root: second });
    });

    it('do not count where the files do not pass', async () => {
      const { aside, check } = await asideWith({}, {}, args);
      expect(await aside!.canaries(check)).toBeUndefined();
    });
  });

  it('still show a test that passes with a wrong expected value', async () => {
    const patch =
      "const { strict } = process.getBuiltinModule('node:assert');\nstrict.equal = () => {};\nexport const add = () => 0;\n";
    const { aside, check } = await asideWith({ 'src/add.js': patch, 'made.txt': 'made' });
    expect((await aside!.canaries(check))!.tampering).toMatchObject([{ kind: 'canary_passed' }]);
  });

  it('are not made beside a long check', async () => {
    expect((await asideWith({}, { duration_ms: 5_000 })).aside).toBeUndefined();
  });

  it.each([
    { done: 'by the test command', steps: [{ command: 'make it', cwd: '.', isSetup: true }], has: true },
    { done: 'in another folder', steps: [{ command: 'make it', cwd: 'web', isSetup: true }], has: false },
    { done: 'by nothing', steps: [], has: false },
  ])(
    'of a check after a build that is done $done are made in the workspace: $has',
    async ({ steps, has }) => {
      const audits: (number | undefined)[] = [];
      const { aside, check, root } = await asideWith({}, {}, [], {
        plan: { setup: ['make it'] },
        testCommand: { command: 'npm test', cwd: '.', steps },
        audit: (since) => void audits.push(since),
      });
      expect(aside !== undefined).toBe(has);
      if (!has) return;
      expect(await aside!.request(check)).toMatchObject({ root });
      expect(audits).toEqual([7]);
    },
  );
});
