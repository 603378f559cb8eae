import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repairProblem, type RepairOptions } from '../../../../bench/datasets/humanevalfix/repair.ts';
import { temporaryFolder } from '../../../support/repositories.ts';
import { HOPELESS_TESTS, problemOf } from './sample.ts';

const OPTIONS: RepairOptions = {
  visible: 'full',
  mode: 'in-process',
  budgetMs: 40_000,
  signal: new AbortController().signal,
};
const assertion = (text: string): string => `const t = () => {\n  console.assert(${text})\n}\nt()\n`;

describe('repairProblem', { timeout: 240_000 }, () => {
  it.each(['in-process', 'repository'] as const)('repairs and judges in mode %s', async (mode) => {
    const result = await repairProblem(problemOf(), { ...OPTIONS, mode });
    expect(result).toMatchObject({
      task_id: 'Sample/0',
      bug_type: 'operator misuse',
      outcome: 'repaired',
      best_of_candidates: true,
      alternatives: expect.any(Number) as number,
      edits: [expect.stringContaining('src/index.js: ')],
      note: '',
    });
    expect(result.diff).toMatch(/^--- a\/src\/index\.js$/m);
    expect(result.diff).toMatch(/^\+.*i <= limit/m);
    expect(result.tried).toBeGreaterThan(0);
  });

  it('reports overfit if the result passes the visible tests and fails the judge', async () => {
    const problem = problemOf({ test: assertion("sumTo(1) === 'nothing gives this'") });
    const result = await repairProblem(problem, { ...OPTIONS, visible: 'example' });
    expect(result).toMatchObject({ outcome: 'overfit', best_of_candidates: false });
    expect(result.note).toMatch(/^full tests: /);
    expect(result.diff).not.toBe('');
  });

  it('reports not found if no edit passes the tests', async () => {
    const problem = problemOf({ test: HOPELESS_TESTS });
    const result = await repairProblem(problem, { ...OPTIONS, budgetMs: 5000 });
    expect(result).toMatchObject({ outcome: 'not found', edits: [], diff: '', best_of_candidates: false });
  });

  it('reports not found if no visible test fails', async () => {
    const problem = problemOf({ exampleTest: assertion('sumTo(0) === 0') });
    expect(await repairProblem(problem, { ...OPTIONS, visible: 'example' })).toMatchObject({
      outcome: 'not found',
      note: 'The visible tests pass without a repair.',
    });
  });

  it('reports an error for a problem that cannot be tried', async () => {
    const problem = problemOf({ buggySolution: '  return (;\n}' });
    expect(await repairProblem(problem, OPTIONS)).toMatchObject({
      outcome: 'error',
      note: expect.stringContaining('does not parse'),
    });
  });

  it("keeps the package as the run left it, without the judge's tests", async () => {
    const keep = temporaryFolder();
    const problem = problemOf({ test: assertion('sumTo(7) === 28') });
    const result = await repairProblem(problem, { ...OPTIONS, visible: 'example', keep });
    expect(result.outcome).toBe('repaired');
    const kept = join(keep, 'Sample-0');
    const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.js'),
    );
    const texts = files.map((file) => readFileSync(join(kept, file), 'utf8')).join('\n');
    expect(texts).toMatch(/i <= limit/);
    expect(texts).not.toContain('28');
    expect(existsSync(join(kept, '.git'))).toBe(false);
  });

  it('rejects when it is stopped', async () => {
    await expect(repairProblem(problemOf(), { ...OPTIONS, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
