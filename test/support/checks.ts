/** Runs one check in a temporary repository. */
import { join } from 'node:path';
import { createCheck } from '../../src/tools.ts';
import type { CheckReport, CheckRequest } from '../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import { validate } from '../../src/schema/validate.ts';
import { temporaryFolder } from './repositories.ts';

const BINS: Readonly<Record<CheckPlan['tool'], string | undefined>> = {
  vitest: 'node_modules/vitest/vitest.mjs',
  jest: 'node_modules/jest/bin/jest.js',
  mocha: 'node_modules/mocha/bin/mocha.js',
  node: undefined,
  ava: 'node_modules/ava/entrypoints/cli.mjs',
  tsc: 'node_modules/typescript/bin/tsc',
  eslint: 'node_modules/eslint/bin/eslint.js',
  command: undefined,
};

const KINDS: Readonly<Partial<Record<CheckPlan['tool'], CheckPlan['kind']>>> = {
  tsc: 'types',
  eslint: 'lint',
  command: 'command',
};

export function planFor(tool: CheckPlan['tool'], plan: Partial<CheckPlan> = {}): CheckPlan {
  const kind = plan.kind ?? KINDS[tool] ?? 'tests';
  return {
    name: kind,
    kind,
    tool,
    cwd: '.',
    bin: BINS[tool],
    args: [],
    setup: [],
    weight: 1,
    source: 'test',
    ...plan,
  };
}

/** The report, checked against the schemas that it is stored by. */
export async function runCheckIn(
  root: string,
  plan: CheckPlan,
  request: Partial<CheckRequest> = {},
): Promise<CheckReport> {
  const report = await createCheck(plan).run({
    root,
    cacheDir: join(temporaryFolder(), 'cache'),
    fresh: false,
    timeoutMs: 50_000,
    signal: new AbortController().signal,
    ...request,
  });
  for (const diagnostic of report.diagnostics) {
    const validation = validate('diagnostic', diagnostic);
    if (!validation.ok) throw new Error(`Not a diagnostic: ${JSON.stringify(validation.problems)}`);
  }
  return report;
}

/** Tests of a report by id. */
export function statusesOf(report: CheckReport): Record<string, string> {
  return Object.fromEntries(report.tests.map(({ id, status }) => [id, status]));
}
