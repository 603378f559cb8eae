import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import type { TestReport } from '../results/test-report.ts';

/** Reads the text that our reporters write. Throws for any other text. */
export function parseOwnReport(text: string): TestReport {
  const report = parseBoundedJson(text) as Partial<TestReport>;
  if (!Array.isArray(report.tests) || !Array.isArray(report.problems)) throw new Error('Not a test report.');
  return { tests: report.tests, problems: report.problems };
}
