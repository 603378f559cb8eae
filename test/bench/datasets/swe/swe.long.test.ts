import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCollect } from '../../../../bench/datasets/collect/index.ts';
import { benchSwe, type SweRequest } from '../../../../bench/datasets/swe/index.ts';
import type { SweResult } from '../../../../bench/datasets/swe/solve.ts';
import { ralph } from '../../../support/ralph.ts';
import {
  commitAll,
  git,
  NODE_TEST_FILES,
  repositoryWith,
  temporaryFolder,
  writeFiles,
} from '../../../support/repositories.ts';

const { signal } = new AbortController();
const TEST = String(NODE_TEST_FILES['test/add.test.js']);
const SOURCE = String(NODE_TEST_FILES['src/add.js']);

let clone: string;
let file: string;

/** A clone whose last commit but one fixes a bug and adds the test that shows it; one instance is made of it. */
beforeAll(async () => {
  clone = repositoryWith({ ...NODE_TEST_FILES, 'test/add.test.js': "import '../src/add.js';\n" });
  writeFiles(clone, { 'src/add.js': SOURCE.replace('a - b', 'a + b'), 'test/add.test.js': TEST });
  commitAll(clone, 'fix: add instead of subtracting');
  writeFiles(clone, { 'src/more.js': 'export {};\n' });
  commitAll(clone, 'feat: more');
  file = join(temporaryFolder(), 'instances.jsonl');
  const report = await benchCollect({
    ...{ repository: clone, repo: `acme/${basename(clone)}`, out: file, most: 5, maxSources: 2, signal },
    install: 'link',
    onCommit: () => {},
  });
  expect(report.commits).toMatchObject([{ reason: '', size: 'small' }]);
}, 240_000);

async function solve(over: Partial<SweRequest> = {}): Promise<SweResult> {
  const report = await benchSwe({
    ...{ file, clones: dirname(clone), install: 'link', tests: 'hidden', jobs: 1, signal },
    budgetMs: 60_000,
    flags: [],
    onResult: () => {},
    ...over,
  });
  return report.instances[0]!;
}

const command = (line: string): string[] => [
  '--actor',
  'command',
  '--command',
  line,
  '--max-iterations',
  '1',
];
const RIGHT = command("sed -i 's/a - b/a + b/' src/add.js");

describe('swe instances', { timeout: 240_000 }, () => {
  it('are made of fixes with their tests, without touching the clone', () => {
    const instance = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(instance).toMatchObject({
      base_commit: git(clone, 'rev-parse', 'HEAD~2').trim(),
      problem_statement: 'fix: add instead of subtracting',
      size: 'small',
      changed_lines: 2,
    });
    expect(JSON.parse(instance['FAIL_TO_PASS']!)).toHaveLength(2);
    expect(instance['patch']).toContain('src/add.js');
    expect(instance['patch']).not.toContain('test/');
    expect(git(clone, 'status', '--porcelain')).toBe('');
  });

  it('are resolved by a right patch that no visible test asks for', async () => {
    const predictions = join(temporaryFolder(), 'predictions.jsonl');
    const result = await solve({ flags: RIGHT, predictions });
    expect(result).toMatchObject({ outcome: 'resolved', applied: true, fixed: 2, regressed: [] });
    const prediction = JSON.parse(readFileSync(predictions, 'utf8')) as Record<string, string>;
    expect(prediction['model_patch']).toContain('+  return a + b;');
  });

  it('are not resolved by a wrong patch, nor by one that replaces the tests', async () => {
    expect(await solve({ flags: command("sed -i 's/a - b/a * b/' src/add.js") })).toMatchObject({
      outcome: 'not resolved',
      fixed: 0,
    });
    const cheat = command("echo '// nothing' > src/note.js && echo > test/add.test.js");
    expect(await solve({ flags: [...cheat, '--allow', 'test/**'] })).toMatchObject({
      outcome: 'not resolved',
    });
  });

  it('show their tests to the offline actor where they are visible', async () => {
    const flags = ['--actor', 'search', '--max-iterations', '2'];
    expect(await solve({ tests: 'visible', flags })).toMatchObject({ outcome: 'resolved', verified: true });
  });

  it('go on after the results of an earlier run', async () => {
    const results = join(temporaryFolder(), 'results.jsonl');
    const first = await solve({ flags: RIGHT, results });
    expect(await solve({ flags: RIGHT, results })).toEqual(first);
    await expect(solve({ results })).rejects.toThrow(/another run: flags was .* and is ""/);
  });

  it('judge a tree, and leave it as it was', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'test/add.test.js': "import '../src/add.js';\n" });
    const judge = () => ralph(root, ['bench', 'swe-judge', file]);
    expect(await judge()).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('0 of 2') });
    writeFiles(root, { 'src/add.js': SOURCE.replace('a - b', 'a + b') });
    expect(await judge()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('resolved') });
    expect(readFileSync(join(root, 'test/add.test.js'), 'utf8')).toBe("import '../src/add.js';\n");
  });

  it('need a clone with the commit', async () => {
    const empty = temporaryFolder();
    await expect(solve({ clones: empty })).rejects.toThrow(/has no clone of acme\//);
    expect(existsSync(join(empty, 'anything'))).toBe(false);
  });
});
