import { inspect, stripVTControlCharacters } from 'node:util';
import type { ReportedError } from './test-report.ts';

const MAX_TEXT = 16_000;

/** A thrown error, possibly one that was serialised between processes. */
interface ThrownError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly code?: unknown;
  readonly operator?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** The parts of a thrown value that a report keeps. Runs in the tested project's process; never throws. */
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
    expected: compares ? describeValue(error.expected) : undefined,
    received: compares ? describeValue(error.actual) : undefined,
    isAssertion: isAssertion || undefined,
  };
}

/** A value as bounded source-like text, with strings quoted. */
export function describeValue(value: unknown): string {
  try {
    return inspect(value, { depth: 8, breakLength: 120, maxArrayLength: 50, maxStringLength: 2_000 });
  } catch {
    return String(value);
  }
}

/** node:assert sets both values on every error, even where nothing was compared. */
function isComparison(error: ThrownError): boolean {
  return typeof error.operator === 'string' && /equal|==|match/i.test(error.operator);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? stripVTControlCharacters(value).slice(0, MAX_TEXT) : undefined;
}
