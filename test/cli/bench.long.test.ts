import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommitsReport } from '../../bench/datasets/commits/report.ts';
import type { BenchReport } from '../../bench/datasets/humanevalfix/report.ts';
import { HOPELESS_TESTS, recordOf } from '../bench/datasets/humanevalfix/sample.ts';
import { lineOf } from '../bench/datasets/reflexion/sample.ts';
import { sweLine } from '../bench/datasets/swe/sample.ts';
import { ralph } from '../support/ralph.ts';
import {
  commitAll,
  git,
  NODE_TEST_FILES,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../support/repositories.ts';

const SLOW_MS = 240_000;

function folderWith(...records: Record<string, unknown>[]): string {
  const folder = temporaryFolder();
  writeFiles(folder, { 'problems.jsonl': records.map((record) => `${JSON.stringify(record)}\n`).join('') });
  return folder;
}

const HOPELESS = recordOf({ task_id: 'Sample/hopeless', test: HOPELESS_TESTS });

describe('ralph bench humanevalfix', () => {
  it(
    'prints a line per problem and the table, writes the JSON and exits 0 even with unrepaired problems',
    async () => {
      const folder = folderWith(recordOf(), HOPELESS);
      const args = [
        'bench',
        'humanevalfix',
        'problems.jsonl',
        '--budget',
        '8',
        '--json',
        'out.json',
        '--keep',
        'kept',
      ];
      const { exitCode, stdout, stderr } = await ralph(folder, args);
      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^Sample\/0 +repaired .* tried, .*src\/index\.js: /m);
      expect(stdout).toMatch(/^Sample\/hopeless +not found /m);
      expect(stdout).toMatch(/^operator misuse +2 +1 +50\.0% +0 +1 /m);
      expect(stdout).toMatch(/^total +2 +1 +50\.0%/m);
      const report = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as BenchReport;
      expect(report).toMatchObject({
        options: { visible: 'full', mode: 'in-process', budget_seconds: 8, jobs: 1 },
        node: process.version,
        complete: true,
        problems: [{ outcome: 'repaired' }, { outcome: 'not found' }],
      });
      expect(existsSync(join(folder, 'kept', 'Sample-hopeless', 'package.json'))).toBe(true);
    },
    SLOW_MS,
  );

  it('prints only the JSON to stdout with --json -', async () => {
    const folder = folderWith(recordOf(), HOPELESS);
    const args = [
      'bench',
      'humanevalfix',
      'problems.jsonl',
      '--only',
      'Sample/0',
      '--visible',
      'example',
      '--json',
      '-',
    ];
    const { stdout, stderr } = await ralph(folder, args);
    expect((JSON.parse(stdout) as BenchReport).problems.map(({ task_id }) => task_id)).toEqual(['Sample/0']);
    expect(stderr).toMatch(/^total +1 +1 /m);
  });

  it('ends at Ctrl-C with the results so far', async () => {
    const folder = folderWith(recordOf(), HOPELESS);
    const { exitCode, stdout } = await ralph(
      folder,
      ['bench', 'humanevalfix', 'problems.jsonl', '--budget', '50'],
      {
        when: [['repaired', (child) => void child.kill('SIGINT')]],
      },
    );
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/stopped early/);
    expect(stdout).toMatch(/^total +1 +1 /m);
  });

  it.each([
    [['nothing.jsonl'], /nothing\.jsonl cannot be read/],
    [['problems.jsonl', '--budget', '0'], /--budget 0: it must be a number of seconds/],
    [['problems.jsonl', '--jobs', '1.5'], /--jobs 1\.5: it must be a whole number/],
    [['problems.jsonl', '--only', 'Sample/7'], /--only Sample\/7: the file has no such task_id/],
    [['problems.jsonl', '--visible', 'all'], /Allowed choices are example, full/],
    [['problems.jsonl', '--mode', 'dream'], /Allowed choices are in-process, repository/],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await ralph(folderWith(recordOf()), ['bench', 'humanevalfix', ...args]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});

describe('ralph bench commits', () => {
  it(
    'prints a line per commit and the table by repository',
    async () => {
      const clone = repositoryWith(NODE_TEST_FILES);
      const source = String(NODE_TEST_FILES['src/add.js']);
      writeFiles(clone, { 'src/add.js': source.replace('a - b', 'b + a') });
      commitAll(clone, 'Adds');
      writeFiles(clone, { 'src/more.js': 'export {};\n' });
      commitAll(clone, 'Another file');
      const commits = git(clone, 'rev-list', '--max-count=2', '--reverse', 'HEAD').trim().split('\n');
      const { exitCode, stdout, stderr } = await ralph(clone, [
        'bench',
        'commits',
        '.',
        ...commits,
        '--json',
        '-',
      ]);
      expect(exitCode).toBe(0);
      const report = JSON.parse(stdout) as CommitsReport;
      expect(report.commits).toMatchObject([
        { commit: commits[0], outcome: 'repaired', same: 'no' },
        { commit: commits[1], outcome: 'not reproducible', same: null },
      ]);
      expect(report.total).toMatchObject({
        commits: 2,
        reproducible: 1,
        repaired: 1,
        same_text: 0,
        same_syntax: 0,
      });
      expect(stderr).toMatch(/^total +2 +1 +1 +100\.0% +0 +0 /m);
      expect(git(clone, 'status', '--porcelain')).toBe('');
    },
    SLOW_MS,
  );

  it('refuses to start without a commit', async () => {
    const { exitCode, stderr } = await ralph(temporaryFolder(), ['bench', 'commits', '.']);
    expect(stderr).toMatch(/No commit is given/);
    expect(exitCode).toBe(2);
  });
});

describe('ralph bench reflexion', () => {
  it('prints one JSON object with --format json, and the table to standard error', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'log.jsonl': `${JSON.stringify(lineOf())}\n` });
    const { stdout, stderr } = await ralph(folder, ['bench', 'reflexion', 'log.jsonl', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ benchmark: 'reflexion', total: { verified: 1 } });
    expect(stderr).toMatch(/^total +1 +1 +1 /m);
  });

  it.each([
    [['nothing.jsonl'], 2, /nothing\.jsonl cannot be read/],
    [['rust.jsonl'], 2, /rust\.jsonl:1: field "language" is "rs": only logs of Python/],
    [['log.jsonl', '--limit', '0'], 2, /--limit 0: it must be a whole number/],
    [['log.jsonl', '--only', 'Sample/7'], 2, /--only Sample\/7: the log has no such problem/],
    [['log.jsonl', '--python', 'no-such-python'], 6, /--python no-such-python: it is not a Python 3/],
    [['log.jsonl', '--results', 'log.jsonl'], 2, /--results log\.jsonl: it is not a file of results/],
  ])('refuses %j', async (args, code, message) => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'log.jsonl': `${JSON.stringify(lineOf())}\n`,
      'rust.jsonl': `${JSON.stringify(lineOf({ language: 'rs' }))}\n`,
    });
    const { exitCode, stderr } = await ralph(folder, ['bench', 'reflexion', ...args]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(code);
  });
});

describe('ralph bench swe and collect', () => {
  it.each([
    [['swe', 'nothing.jsonl', '--clones', '.'], /nothing\.jsonl cannot be read/],
    [['swe', 'one.jsonl'], /required option '--clones <dir>' not specified/],
    [['swe', 'one.jsonl', '--clones', 'here'], /--clones here has no clone of acme\/adder/],
    [
      ['swe', 'one.jsonl', '--clones', '.', '--total-cost', '0'],
      /--total-cost 0: it must be a number of US dollars/,
    ],
    [['swe-judge', 'one.jsonl', '--only', 'other'], /--only other: the file has no such instance_id/],
    [['collect', '.', '--out', 'out.jsonl'], /\. is not a clone of a git repository/],
    [['collect', '.', '--out', 'out.jsonl', '--sizes', 'tiny'], /--sizes "tiny" is not one of small/],
  ])('refuses %j', async (args, message) => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'one.jsonl': `${JSON.stringify(sweLine())}\n` });
    const { exitCode, stderr } = await ralph(folder, ['bench', ...args]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});
