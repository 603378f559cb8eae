import { beforeAll, describe, expect, it } from 'vitest';
import { parseJunit } from '../../src/checks/parsers/junit.ts';
import { readLoopRecord, type LoopRecord } from '../../src/report/data/loop-record.ts';
import { renderJunit, renderLoopsJunit } from '../../src/report/junit.ts';
import { HOSTILE, hostileLoop } from '../support/hostile.ts';
import { repositoryWith } from '../support/repositories.ts';
import { failingTest, storeLoop } from '../support/stored-loop.ts';

const ID = 'ralph-junit-20260101-aaaaaa';

function casesOf(xml: string): Record<string, string> {
  const report = parseJunit(xml);
  if (report === undefined) throw new Error(`No JUnit: ${xml}`);
  return Object.fromEntries(report.tests.map(({ path, status }) => [path.join(' / '), status]));
}

describe('renderJunit', () => {
  let root: string;
  const record = async (checks: number, failures: string[]): Promise<LoopRecord> => {
    const attempt = {
      checks: [
        { name: 'tests', weight: 0.5, score: checks },
        { name: 'types', weight: 0.5, score: 1 },
      ],
      failures: failures.map((name) => failingTest(name)),
      patch: '',
    };
    await storeLoop(root, {
      loopId: ID,
      baseline: { ...attempt, checks: [{ name: 'tests', weight: 1, score: 0 }] },
      attempts: [attempt],
    });
    return readLoopRecord(root, ID);
  };
  beforeAll(() => {
    root = repositoryWith({ 'a.txt': 'a\n' });
  });

  it('contains the verdict, each check and each remaining failure, readable by parseJunit', async () => {
    expect(casesOf(renderJunit(await record(0.5, ['adds', 'rounds'])))).toEqual({
      [`ralph.verdict / ${ID}`]: 'failed',
      'ralph.checks / tests': 'failed',
      'ralph.checks / types': 'passed',
      'test/cart.test.ts / adds': 'failed',
      'test/cart.test.ts / rounds': 'failed',
    });
  });

  it('has only passed cases for a verified loop', async () => {
    root = repositoryWith({ 'a.txt': 'a\n' });
    const cases = casesOf(renderJunit(await record(1, [])));
    expect(new Set(Object.values(cases))).toEqual(new Set(['passed']));
    expect(Object.keys(cases)).toContain(`ralph.verdict / ${ID}`);
  });

  it('has correct counts per suite, and the place of a failure', async () => {
    root = repositoryWith({ 'a.txt': 'a\n' });
    const xml = renderJunit(await record(0.5, ['adds']));
    expect(xml).toContain('<testsuites name="ralph" tests="4" failures="3" errors="0">');
    expect(xml).toMatch(
      /<testcase classname="test\/cart\.test\.ts" name="adds" file="test\/cart\.test\.ts" line="12"/,
    );
  });

  it('stays well-formed for hostile names', async () => {
    const hostile = repositoryWith({ 'a.txt': 'a\n' });
    const text = `${HOSTILE} ]]> \uFFFE \u0000 &lt;`;
    await storeLoop(hostile, hostileLoop(ID, text.replaceAll('\u0000', '')));
    const xml = renderJunit(await readLoopRecord(hostile, ID));
    // eslint-disable-next-line no-control-regex
    expect(xml).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
    expect(xml).not.toContain('<script');
    const names = parseJunit(xml)!.tests.map(({ path }) => path.at(-1)!);
    expect(names.some((name) => name.includes('<script>window.__pwned=1</script>'))).toBe(true);
    expect(names).toHaveLength(4);
  });

  it('renders a case for each loop of a repository', () => {
    const loops = [
      { loopId: 'ralph-a', task: 'one', passed: true },
      { loopId: 'ralph-b', task: '<b>&', passed: false },
      { loopId: 'ralph-c', task: 'three', passed: null },
    ];
    expect(casesOf(renderLoopsJunit(loops))).toEqual({
      'ralph.loop / ralph-a: one': 'passed',
      'ralph.loop / ralph-b: <b>&': 'failed',
      'ralph.loop / ralph-c: three': 'skipped',
    });
  });
});
