import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseJunit } from '../../src/checks/parsers/junit.ts';
import type { Report, Verdict } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { filesLoaded, holdsText } from '../support/loaded.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { HONEST_FIX, NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

/** Fails first, then repairs; the first attempt also weakens a test, which is restored. */
const SECOND_TRY = `if [ "$RALPH_ITERATION" = 1 ]; then sed -i 's/a - b/a * b/' src/add.js; echo > test/add.test.js; else ${HONEST_FIX}; fi`;

describe('ralph report', () => {
  let root: string;
  let failed: Verdict;
  let passed: Verdict;
  const file = (name: string): string => join(root, name);
  const report = (...args: string[]): ReturnType<typeof ralph> => ralph(root, ['report', ...args]);

  beforeAll(async () => {
    root = repositoryWith(NODE_TEST_FILES);
    failed = (await ralphRun(root, ['--command', 'true', '--max-iterations', '1'])).verdict;
    passed = (await ralphRun(root, ['--command', SECOND_TRY, '--max-iterations', '3'])).verdict;
  }, 120_000);

  it('prints the newest loop as text: verdict, receipt, attempts, refused changes', async () => {
    const { exitCode, stdout, stderr } = await report();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(passed).toMatchObject({ status: 'passed', iterations: 2 });
    expect(stdout).toContain(`${passed.loop_id}\nVERIFIED  reward 0.333 → 1.000  ${passed.reason}\n`);
    expect(stdout).toMatch(/tests {3}3\/3 passed {2}1\.00 × 1\.000 = 1\.000/);
    expect(stdout).toMatch(/attempt 1 {3}reward 0\.\d{3} {2}/);
    expect(stdout).toMatch(/refused: .*test\/add\.test\.js/);
    expect(stdout).toMatch(/attempt 2 {3}reward 1\.000 .* best/);
    expect((await report('--quiet')).stdout.split('\n')).toHaveLength(2);
  });

  it('prints one JSON object that includes the printed verdict', async () => {
    const { stdout } = await report(failed.loop_id!, '--format', 'json');
    const checked = validate('report', JSON.parse(stdout));
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const printed: Report = checked.value;
    expect(printed.verdict).toEqual(failed);
    expect(printed).toMatchObject({ final: true, status: failed.status, damaged: [] });
    expect(printed.failures.map(({ in_baseline, same }) => [in_baseline, same])).toEqual([
      [true, [1]],
      [true, [1]],
    ]);
  });

  it('writes HTML, Markdown and JUnit at once, and prints the paths', async () => {
    const { exitCode, stdout, stderr } = await report(
      passed.loop_id!,
      '--html',
      'r.html',
      '--markdown',
      'r.md',
      '--junit',
      'r.xml',
    );
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toBe('Written to r.html\nWritten to r.md\nWritten to r.xml\n');
    const page = readFileSync(file('r.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('Content-Security-Policy');
    expect(page).toContain(passed.loop_id);
    expect(page.match(/<details class="attempt"/g)).toHaveLength(2);
    expect(readFileSync(file('r.md'), 'utf8')).toMatch(/^## ✅ Verified/);
    const { tests } = parseJunit(readFileSync(file('r.xml'), 'utf8'))!;
    expect(tests.map(({ path, status }) => `${path.join(' ')} ${status}`)).toEqual([
      `ralph.verdict ${passed.loop_id} passed`,
      'ralph.checks tests passed',
      'ralph.proof C1: tests: 2 failing tests pass passed',
    ]);
  });

  it('prints Markdown, or the format whose file is "-", to standard output', async () => {
    expect((await report('--markdown')).stdout).toMatch(/^## ✅ Verified/);
    const { stdout, stderr } = await report(failed.loop_id!, '--junit', '-', '--html', 'r.html');
    expect(stderr).toBe('Written to r.html\n');
    expect(parseJunit(stdout)!.tests.filter(({ status }) => status === 'failed').length).toBeGreaterThan(2);
  });

  it('reports all loops of the repository in each format', async () => {
    const { exitCode } = await report(
      '--all',
      '--html',
      'all.html',
      '--markdown',
      'all.md',
      '--junit',
      'all.xml',
    );
    expect(exitCode).toBe(0);
    const page = readFileSync(file('all.html'), 'utf8');
    for (const id of [failed.loop_id!, passed.loop_id!]) expect(page).toContain(id);
    expect(readFileSync(file('all.md'), 'utf8')).toContain('## 2 loops, 3 attempts');
    expect(parseJunit(readFileSync(file('all.xml'), 'utf8'))!.tests.map(({ status }) => status)).toEqual([
      'failed',
      'passed',
    ]);
    expect((await report('--all')).stdout).toBe((await ralph(root, ['analyze'])).stdout);
    const analysis: unknown = JSON.parse((await report('--all', '--format', 'json')).stdout);
    expect(validate('analysis', analysis).ok).toBe(true);
  });

  it('says that no loop has run yet', async () => {
    const fresh = repositoryWith(NODE_TEST_FILES);
    const none = await ralph(fresh, ['report']);
    expect([none.exitCode, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('Start one: ralph run');
    expect((await ralph(fresh, ['report', '--all', '--html', 'x.html'])).exitCode).toBe(0);
    expect(readFileSync(join(fresh, 'x.html'), 'utf8')).toContain('No loop has run here yet.');
  });

  it.each<[string, string[], RegExp]>([
    [
      'two formats on standard output',
      ['--html', '-', '--markdown'],
      /--html and --markdown would both go to standard output.*\n.*--html FILE/,
    ],
    [
      'a format on standard output with JSON',
      ['--junit', '-', '--format', 'json'],
      /--junit and --format json would both/,
    ],
    [
      'a loop id instead of a file',
      ['--markdown', 'ralph-x-20260101-aaaaaa'],
      /Give the loop first: ralph report ralph-x/,
    ],
    ['a loop id with --all', ['--all', 'ralph-x-20260101-aaaaaa'], /--all reports every loop/],
    ['an empty name', ['--html', ''], /--html needs a file name/],
    ['a malformed id', ['../x'], /is not a loop id/],
    ['an unknown option', ['--htlm', 'x'], /--html/],
  ])('refuses %s, with a remedy', async (_, args, expected) => {
    const { exitCode, stdout, stderr } = await report(...args);
    expect([exitCode, stdout]).toEqual(args.includes('json') ? [2, stdout] : [2, '']);
    expect(stderr).toMatch(expected);
  });

  it('names the file that it cannot write', async () => {
    const { exitCode, stderr } = await report('--html', 'src/add.js/r.html');
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('add.js');
    expect(stderr).not.toContain('fault in ralph itself');
  });

  it('loads the HTML renderer only with --html', async () => {
    const drawn = async (args: string[]): Promise<boolean> =>
      holdsText(await filesLoaded(root, args), '<!doctype html>');
    expect(await drawn(['report', '--html', 'r.html'])).toBe(true);
    for (const args of [['report'], ['report', '--markdown'], ['--version'], ['list']])
      expect([args, await drawn(args)]).toEqual([args, false]);
    expect(existsSync(file('r.html'))).toBe(true);
  });
});
