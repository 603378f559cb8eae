import { describe, expect, it } from 'vitest';
import { tallyTests } from '../../../src/checks/score/baseline.ts';
import type { TestCase } from '../../../src/schema/generated.ts';
import { redactValue } from '../../../src/platform/redaction/redact.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const test = (name: string, status: TestCase['status'] = 'passed'): TestCase => ({
  id: `a.test.js > ${name}`,
  name,
  status,
});

describe('a stored baseline with redacted secrets', () => {
  const baseline = redactValue([test(`takes ${TOKEN}`), test('adds')], {});

  it('matches tests whose names contain secrets', () => {
    expect(tallyTests([test(`takes ${TOKEN}`), test('adds')], baseline)).toMatchObject({
      pinnedPassed: 2,
      missing: [],
    });
  });

  it('reports missing tests whose names contain secrets', () => {
    expect(tallyTests([test('adds')], baseline)).toMatchObject({
      pinnedPassed: 1,
      failed: 1,
      missing: [baseline[0]!.id],
    });
  });
});
