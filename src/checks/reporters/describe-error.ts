import { inspect, stripVTControlCharacters } from 'node:util';
import type { ReportedError } from '../results/test-report.ts';

const MAX_TEXT = 16_000;

/** An error as a runner holds it: any thrown value, or an error that crossed a process boundary. */
interface ThrownError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly code?: unknown;
  readonly operator?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** What a report keeps of a thrown value. Runs in the tested project's process; never throws. */
export function describeError(thrown: unknown): ReportedError {
  if (typeof thrown !== 'object' || thrown === null) return { message: `thrown: ${describeValue(thrown)}` };
  const error = thrown as ThrownError;
  const name = textOf(error.name);
  const isAssertion = error.code === 'ERR_ASSERTION' || /assertion/i.test(name ?? '');
  const compares = isAssertion && error.code === 'ERR_ASSERTION' ? isComparison(error) : 'expected' in error;
  return {
    name,
    message: textOf(error.message) ?? `thrown: ${describeValue(thrown)}`,
    stack: textOf(error.stack),
    ...(compares ? { expected: describeValue(error.expected), received: describeValue(error.actual) } : {}),
    ...(isAssertion ? { isAssertion } : {}),
  };
}

/** A value on few lines, strings quoted, bounded. */
export function describeValue(value: unknown): string {
  try {
    return inspect(value, { depth: 8, breakLength: 120, maxArrayLength: 50, maxStringLength: 2_000 });
  } catch {
    return String(value);
  }
}

/** node:assert sets both values on every error, also where there was nothing to compare. */
function isComparison(error: ThrownError): boolean {
  return typeof error.operator === 'string' && /equal|==|match/i.test(error.operator);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? stripVTControlCharacters(value).slice(0, MAX_TEXT) : undefined;
}
