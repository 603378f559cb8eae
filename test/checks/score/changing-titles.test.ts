import { describe, expect, it } from 'vitest';
import { tallyTests } from '../../../src/checks/score/baseline.ts';
import {
  mayHaveChanged,
  withChangingTitles,
  withKnownTitles,
} from '../../../src/checks/score/changing-titles.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

function run(...titles: string[]): TestCase[] {
  return titles.map((title) => {
    const [file = '', name = ''] = title.split(':');
    return { id: `${file} > ${name}`, name, file, status: 'passed' };
  });
}

function missing(baseline: readonly TestCase[], now: readonly TestCase[]): readonly string[] {
  const report = withKnownTitles({ tests: now, diagnostics: [] } as unknown as CheckReport, baseline);
  return tallyTests(report.tests, baseline).missing;
}

const FIRST = run('a:at 1', 'a:stays', 'a:at 2', 'b:stays');
const KNOWN = withChangingTitles(FIRST, run('a:at 3', 'a:stays', 'a:at 4', 'b:stays'));

describe('tests whose titles change with each run', () => {
  it('are matched by their files, and each must run', () => {
    expect(missing(KNOWN, run('a:at 7', 'a:stays', 'a:at 8', 'b:stays'))).toEqual([]);
    expect(missing(KNOWN, run('a:at 7', 'a:stays', 'b:stays'))).toHaveLength(1);
    expect(missing(KNOWN, run('a:stays', 'b:stays', 'b:at 7', 'b:at 8'))).toHaveLength(2);
  });

  it('do not stand for a test whose title stays', () => {
    expect(missing(KNOWN, run('a:at 7', 'a:at 8', 'a:at 9', 'b:stays'))).toEqual(['a > stays']);
    expect(missing(KNOWN, run('a:at 7', 'a:stays', 'a:at 8'))).toEqual(['b > stays']);
  });

  it('are none where a second run has another number of tests', () => {
    expect(withChangingTitles(FIRST, run('a:stays', 'b:stays'))).toBe(FIRST);
    expect(withChangingTitles(FIRST, run('a:at 3', 'a:stays', 'b:stays'))).toBe(FIRST);
    expect(withChangingTitles(FIRST, FIRST)).toBe(FIRST);
  });

  it('are looked for only where other tests ran in the place of those that are missing', () => {
    expect(mayHaveChanged(['a > at 1'], FIRST, run('a:at 3'))).toBe(true);
    expect(mayHaveChanged(['a > at 1'], FIRST, run('a:stays', 'b:new'))).toBe(false);
    expect(mayHaveChanged([], FIRST, run('a:at 3'))).toBe(false);
  });
});
