import { redact } from '../platform/redaction/redact.ts';
import { LEFT_OUT, orderIn } from '../platform/redaction/unsafe-text.ts';
import type { Diagnostic } from '../schema/generated.ts';
import type { LineTrace, SeenValue } from '../ports/reflection.ts';
import { joinList, renderPlace, shownCode, visibleLine } from './phrases.ts';

/** Values that a reflection shows, and those of them that are of changed lines if there are others. */
const MOST = 2;
const MOST_CHANGED = 1;
/** Characters of a shown value, and of the code that it is of. */
const MOST_CHARS = { value: 40, code: 50 } as const;

/**
 * The values of a traced run that say most, in the order of evaluation: some of changed lines, and the last ones before the test
 * failed. What the test received is left out, because the failure shows it.
 */
export function tellingValues({ values }: LineTrace, { received }: Diagnostic): SeenValue[] {
  const own = values.filter((value) => value.isChanged && !isLiteral(value));
  const isReceived = ({ count, first }: SeenValue): boolean =>
    count === 1 && (first === received || first === `'${received}'`);
  const others = values.filter((value) => !value.isChanged && !isReceived(value) && !isLiteral(value));
  const shown = own.slice(0, Math.max(MOST_CHANGED, MOST - others.length));
  return [...shown, ...others.slice(0, MOST - shown.length)].sort((a, b) => a.order - b.order);
}

/** True for a value that the code spells itself: `name = 'x'` was 'x'. */
function isLiteral({ code, first, isConstant }: SeenValue): boolean {
  return isConstant && (code === first || code.endsWith(`= ${first}`));
}

/** `` `pages` at src/paginate.js:13 was 2 and `rest` at src/paginate.js:14 was 1, then 0 ``. */
export function renderValues(values: readonly SeenValue[]): string {
  return joinList(values.map(renderValue), MOST);
}

/** The code with its latest known value and its place: `` `pages` (2) at src/paginate.js:13 ``. */
export function renderLatest({ file, line, code, first, last = first }: SeenValue): string {
  return `${shownCode(code, MOST_CHARS.code)} (${shownValue(code, last)}) at ${renderPlace({ file, line })}`;
}

function renderValue({ file, line, code, ...seen }: SeenValue): string {
  return `${shownCode(code, MOST_CHARS.code)} at ${renderPlace({ file, line })} was ${renderSeries(code, seen)}`;
}

/** A value of some code; nothing of one that instructs its reader, or that the name of the code makes a secret. */
function shownValue(code: string, text: string): string {
  if (orderIn(text) !== undefined) return LEFT_OUT;
  const named = `${code} = ${text}`;
  return redact(named) === named ? visibleLine(text, MOST_CHARS.value) : '[redacted]';
}

function renderSeries(
  code: string,
  { count, isConstant, ...seen }: Pick<SeenValue, 'count' | 'first' | 'last' | 'isConstant'>,
): string {
  const first = shownValue(code, seen.first);
  if (count === 1) return first;
  if (isConstant) return count === 2 ? `${first} both times` : `${first} all ${count} times`;
  if (seen.last === undefined) return `${first} at first, of ${count} times`;
  const last = shownValue(code, seen.last);
  if (first === last) return `${first} at first and at last, of ${count} times`;
  return count === 2 ? `${first}, then ${last}` : `${first} at first and ${last} at last, of ${count} times`;
}
