import { describe, expect, it } from 'vitest';
import { filesOfPatch } from '../../../../bench/datasets/patches.ts';
import { sizeClassOf } from '../../../../bench/datasets/size-class.ts';
import { parseInstance } from '../../../../bench/datasets/swe/instance.ts';
import { compareResults } from '../../../../bench/datasets/swe/judge.ts';
import { sweLine } from './sample.ts';

const compare = (passed: string[], failed: string[] = [], over: Record<string, unknown> = {}) =>
  compareResults(parseInstance({ place: '', record: sweLine(over) }), {
    passed: new Set(passed),
    failed: new Set(failed),
  });

describe('compareResults', () => {
  it.each([
    ['ids', ['test/a.js > adds', 'test/a.js > loads'], { FAIL_TO_PASS: ['test/a.js > adds'] }],
    ['names without a file', ['test/a.js > adds', 'test/b.js > loads'], {}],
    ['suites joined by spaces', ['a.js > sum > adds', 'a.js > loads'], { FAIL_TO_PASS: ['sum adds'] }],
  ])('resolves an instance by %s', (_, passed, over) => {
    expect(compare(passed, [], over)).toMatchObject({ resolved: true, fixed: 1, regressed: [], reason: '' });
  });

  it.each([
    ['a test that still fails', ['a.js > loads'], ['a.js > adds'], 0, []],
    ['a test that is gone', ['a.js > adds'], [], 1, ['loads']],
    ['a name that passes in one file only', ['a.js > adds', 'a.js > loads'], ['b.js > loads'], 1, ['loads']],
  ])('does not resolve %s', (_, passed, failed, fixed, regressed) => {
    expect(compare(passed, failed)).toMatchObject({ resolved: false, fixed, regressed });
  });
});

it('filesOfPatch names changed, added and deleted files once', () => {
  const patch = [
    'diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-1\n+2\n',
    'diff --git a/n.js b/n.js\nnew file mode 100644\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+1\n',
    'diff --git a/d.js b/d.js\ndeleted file mode 100644\n--- a/d.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n',
  ].join('');
  expect(filesOfPatch(patch)).toEqual(['x.js', 'n.js', 'd.js']);
});

it.each([
  [1, 'small'],
  [6, 'small'],
  [7, 'medium'],
  [31, 'large'],
  [101, 'huge'],
])('%d changed lines are %s', (lines, size) => {
  expect(sizeClassOf(lines)).toBe(size);
});
