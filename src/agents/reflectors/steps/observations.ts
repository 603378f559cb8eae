import type { SeenValue } from '../../../ports/reflection.ts';
import {
  failureName,
  isTestFileOf,
  joinList,
  oneLine,
  renderFunctionPlace,
  renderPlace,
  safeTitle,
  shownCode,
  type Place,
} from '../../../prompts/phrases.ts';
import { renderLatest } from '../../../prompts/seen-values.ts';
import type { Diagnostic } from '../../../schema/generated.ts';
import type { Evidence } from '../evidence.ts';
import { calleeAt, codeAt, importsUsedAt, type SourceLines } from '../source-lines.ts';
import { duringOf, nameOf, nextSources, spotOf } from './named.ts';

/** Observations of a test's failure whose cause is not known, most telling first; at least one. */
export function observations(evidence: Evidence, lead: Diagnostic): string[] {
  const sources = nextSources(evidence);
  // Values that are known need not be printed.
  const first = lastValue(evidence) === undefined ? observe : checkValues;
  return [first, compareWithTest, compareWithPassing, traceBack, findValue, shrink]
    .map((step) => step(evidence, lead, sources))
    .filter((step) => step !== undefined);
}

/** Prints values on the path of the failure; undefined where no place is known and the received value is. */
function observe(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string | undefined {
  const place = placeToPrint(evidence);
  const code = place === undefined ? undefined : codeAt(sources, place.file, place.line);
  if (lead.type === 'timeout' && !failureName(lead).startsWith('the test ') && lead.file !== undefined)
    return `print a line at the start and at the end of each test of ${renderPlace({ file: lead.file })}, to see which one does not end`;
  if (lead.type === 'timeout')
    return `print a line before and after each step of ${place === undefined ? `what ${spotOf(lead)} calls` : renderFunctionPlace(place)}, to see which step of ${nameOf(lead)} does not end`;
  if (place !== undefined) {
    const what = code === undefined ? 'the values' : `the values in ${shownCode(code)}`;
    return `print ${what} at ${renderFunctionPlace(place)} ${duringOf(lead)}`;
  }
  const callee = lead.file === undefined ? undefined : calleeAt(sources, lead.file, lead.line);
  if (callee !== undefined)
    return `print ${callee.isClass ? 'what the methods of' : 'the arguments and the result of'} ${renderFunctionPlace({ ...callee, function: callee.name })}${callee.isClass ? ' receive and return' : ''} ${duringOf(lead)}`;
  // The value that a test received is in its report.
  return lead.received === undefined
    ? `print what ${spotOf(lead)} receives, and from which call, ${duringOf(lead)}`
    : undefined;
}

/** The value computed last before the first failure of the tree that the next attempt starts from; undefined where none is known. */
function lastValue({ input: { trace }, isKept, ahead, changed, places }: Evidence): SeenValue | undefined {
  const [lead] = ahead;
  if (trace === undefined || lead?.test_id !== trace.testId || lead.type === 'timeout') return undefined;
  const isSameTree = isKept || changed.length === 0;
  // An error that is thrown computes values of its own after what made it be thrown.
  const values = trace.values.filter(({ file }) => places[0] === undefined || places[0].file === file);
  return isSameTree ? values.sort((a, b) => a.order - b.order).at(-1) : undefined;
}

/** Goes on from the values that a traced run has shown. Which of them is wrong, nobody knows. */
function checkValues(evidence: Evidence, lead: Diagnostic): string {
  return `check whether ${renderLatest(lastValue(evidence)!)} is right for ${goalOf(lead)}, and if it is not, change what computes it`;
}

function compareWithTest(_: Evidence, lead: Diagnostic, sources: SourceLines): string {
  const { file, line } = lead;
  const code = goalOf(lead) === spotOf(lead) && file !== undefined ? codeAt(sources, file, line) : undefined;
  const shown = code === undefined ? '' : ` (${shownCode(code)})`;
  return `work out by hand, step by step, what ${goalOf(lead)}${shown} should compute, and print the first step that differs`;
}

/** Names a test of the same file that passes on the tree that the next attempt starts from; undefined without one. */
function compareWithPassing({ input }: Evidence, lead: Diagnostic): string | undefined {
  const { tests } = input.loop?.next.evaluation ?? input.evaluation;
  const failed = new Set(
    input.evaluation.tests.flatMap(({ id, status }) => (status === 'passed' ? [] : [id])),
  );
  const passing = tests.find(
    ({ id, file, status }) =>
      status === 'passed' && !failed.has(id) && file !== undefined && file === lead.file,
  );
  return passing === undefined || !nameOf(lead).startsWith('the test ')
    ? undefined
    : `compare ${nameOf(lead)} with "${oneLine(safeTitle(passing.name), 100)}" of the same file, which passes`;
}

/** The line of a test that is not met; the test itself where the failure is reported elsewhere. */
function goalOf(lead: Diagnostic): string {
  const { file, test_id: id } = lead;
  const isTest = id !== undefined && nameOf(lead).startsWith('the test ');
  return isTest && file !== undefined && !isTestFileOf(lead, file) ? nameOf(lead) : spotOf(lead);
}

/** Names the files that the failing test uses and no attempt has edited; undefined without any. */
function traceBack(evidence: Evidence, lead: Diagnostic, sources: SourceLines): string | undefined {
  const { changed, earlier } = evidence;
  const edited = new Set([...changed, ...earlier.flatMap(({ actor_output }) => actor_output.files_modified)]);
  const imported =
    lead.file === undefined || lead.line === undefined ? [] : importsUsedAt(sources, lead.file, lead.line);
  const others = imported.filter(
    (file) => !edited.has(file) && !isTestFileOf(lead, file) && hasOwnCode(sources.linesOf(file) ?? []),
  );
  if (others.length === 0) return undefined;
  const named = joinList(others.map((file) => renderPlace({ file })));
  return `print what ${nameOf(lead)} receives from ${named}, which no attempt has edited`;
}

/** False for a file that only passes on what other files export. */
function hasOwnCode(lines: readonly string[]): boolean {
  const code = lines.join('\n').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  return code.replace(/\b(?:export|import)\b[^;'"]*from\s*['"][^'"]*['"]\s*;?/g, '').trim() !== '';
}

/** Characters of a received value that is looked for in the sources, and values that are everywhere. */
const MOST_VALUE_CHARS = 40;
/** A value of which a secret is left out stands nowhere in that form. */
const HIDDEN = /\[redacted\]/i;
const COMMON_VALUE = /^(?:['"`]?(?:undefined|null|true|false|-?\d|\{\}|\[\])?['"`]?)$/;

/** Looks for what makes the received value; undefined where it is long, or stands everywhere. */
function findValue(_: Evidence, lead: Diagnostic): string | undefined {
  const value = oneLine(lead.received ?? '', Infinity);
  if (
    COMMON_VALUE.test(value) ||
    HIDDEN.test(value) ||
    value.length > MOST_VALUE_CHARS ||
    lead.type === 'timeout'
  )
    return undefined;
  return `search the sources for the place that makes ${shownCode(value)}, which ${nameOf(lead)} receives`;
}

function shrink(_: Evidence, lead: Diagnostic): string | undefined {
  const name = nameOf(lead);
  return name.startsWith('the test ')
    ? `find the smallest input with which ${name} still fails, in a copy of the test that is deleted afterwards`
    : undefined;
}

/** The innermost place in the source; with the same failure again, one that no earlier attempt has edited, if there is one. */
function placeToPrint({ places, alike }: Evidence): Place | undefined {
  const edited = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  return places.find(({ file }) => !edited.has(file)) ?? places[0];
}
