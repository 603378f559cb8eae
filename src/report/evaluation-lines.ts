import { plural } from '../platform/text/plural.ts';
import { printable } from '../platform/text/printable.ts';
import type { Diagnostic, Evaluation } from '../schema/generated.ts';

const PLACELESS_LINES = 8;

/**
 * One line for a failure with a file; one without, and that of a runner that ended early, is shown with the end of its message.
 */
export function describeFailure({ type, check, file, line, rule, test_id, message }: Diagnostic): string[] {
  const place = file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`;
  const first = `${check}${place}  ${firstLine(rule === undefined ? message : `${rule}: ${message}`)}`;
  const isOfTest = type !== 'runtime_error' || test_id !== undefined;
  if (file !== undefined && isOfTest) return [first];
  const rest = message
    .trimEnd()
    .split('\n')
    .slice(1)
    .filter((text) => text.trim() !== '');
  return [first, ...rest.slice(-PLACELESS_LINES).map((text) => `  ${firstLine(text)}`)];
}

/** A check and its result in a few words. */
export function describeCheck(check: Evaluation['checks'][number]): string {
  if (check.status === 'error') return `${check.name} could not run`;
  if (check.status === 'skip') return `${check.name} ${check.kind === 'tests' ? 'skipped' : 'set aside'}`;
  if (check.kind === 'tests' && check.total > 0) return `${check.name} ${check.passed}/${check.total}`;
  return check.status === 'pass' ? `${check.name} ok` : `${check.name} ${plural(check.errors, 'error')}`;
}

/** The difference of a reward, with a mark for its direction. */
export function renderChange(difference: number): string {
  if (Math.abs(difference) < 0.0005) return '=';
  return difference > 0 ? `▲ +${difference.toFixed(3)}` : `▼ ${difference.toFixed(3)}`;
}

/** The first line, printable and bounded. */
export function firstLine(text: string): string {
  return printable(text.split('\n', 1)[0]!).slice(0, 300);
}
