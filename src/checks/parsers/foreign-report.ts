import type { Diagnostic } from '../../schema/generated.ts';
import { toTestResults, type TestResults } from '../results/test-results.ts';
import type { TestReport } from '../results/test-report.ts';
import type { ParseOrigin } from './lines.ts';
import { parseSarif } from './sarif.ts';

/** Results in a format that tools of any language write. */
export type ForeignReport =
  | { readonly kind: 'tests'; readonly results: TestResults }
  | { readonly kind: 'findings'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads JUnit XML, SARIF, TAP or what `jest --json` writes, recognised by the start of the text; undefined for any other text. `isStream`: the text
 * is the output of a program, which may print other lines around its TAP, or be the output of uvu.
 */
export async function parseForeignReport(
  text: string,
  origin: ParseOrigin & { readonly type: Diagnostic['type'] },
  isStream = false,
): Promise<ForeignReport | undefined> {
  const head = text.trimStart().slice(0, 2_000);
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<testsuites?\b/.test(head)) {
    const { parseJunit } = await import('./junit.ts');
    return tests(parseJunit(text), origin);
  }
  if (head.startsWith('{') && /"(testResults|numTotalTests)"/.test(text)) {
    const { parseJestReport } = await import('./jest.ts');
    try {
      return tests(parseJestReport(text), origin);
    } catch {
      return undefined;
    }
  }
  if (head.startsWith('{')) {
    const diagnostics = parseSarif(text, origin);
    return diagnostics === undefined ? undefined : { kind: 'findings', diagnostics };
  }
  const { parseTap, parseTapStream } = await import('./tap.ts');
  if (!isStream) return tests(parseTap(text), origin);
  const { parseUvu } = await import('./uvu.ts');
  return tests(parseTapStream(text) ?? parseUvu(text), origin);
}

function tests(report: TestReport | undefined, origin: ParseOrigin): ForeignReport | undefined {
  return report === undefined ? undefined : { kind: 'tests', results: toTestResults(report, origin) };
}
