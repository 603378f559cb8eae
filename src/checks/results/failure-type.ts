import type { Diagnostic } from '../../schema/generated.ts';
import type { ReportedError } from './test-report.ts';

const TIMEOUT =
  /\btimed out (in|after)\b|exceeded timeout of \d|^timeout of \d+ ?ms exceeded|no new tests completed within/im;
const SYNTAX =
  /\bSyntaxError\b|transform failed|failed to parse|parse_error|parse failure|unexpected token|unterminated|expected ['"`].{1,3}['"`] but found/i;
const JSON_INPUT = /\bJSON\b/;
const ASSERTION_NAME = /assertion|^expect(ation)?error/i;
const ASSERTION_TEXT = /^(expect\(|assert(\.\w+)?\(|assertion(error)?\b|expected\b.*\b(to|but)\b)/i;

/** The kind of failure that an error of a test is. A syntax error of JSON.parse is a runtime error. */
export function failureType(error: ReportedError): Diagnostic['type'] {
  const { name = '', message } = error;
  if (TIMEOUT.test(message)) return 'timeout';
  if (name === 'TypeCheckError') return 'type_error';
  if (error.isAssertion || ASSERTION_NAME.test(name)) return 'test_failure';
  if ((SYNTAX.test(name) || SYNTAX.test(message)) && !JSON_INPUT.test(message)) return 'syntax_error';
  if (ASSERTION_TEXT.test(message)) return 'test_failure';
  return 'runtime_error';
}
