import { escapeRegExp } from '../../../platform/text/escape-regexp.ts';
import type { Evidence } from '../evidence.ts';
import { nextSources } from '../steps/named.ts';
import { PLACE } from './attempt-record.ts';
import { numbersIn } from './names.ts';

/** A step, and the place of the tree for the next attempt that it names first. */
interface PlacedStep {
  readonly step: string;
  readonly evidence: Evidence;
  readonly file: string;
  /** The named line and those around it; the whole file where no line is named. */
  readonly rows: readonly string[];
  readonly whole: string;
}

/** Lines above and below a named line in which its code may stand. */
const AROUND = 2;

/**
 * Why a model's step leads nowhere, as a sentence: it changes nothing, its code is not in the tree that the next attempt starts from,
 * it is an edit that has failed or takes back one that helped, it was given before, or it writes what a failing test expects.
 * Undefined where nothing speaks against it, which does not make it right.
 */
export function stepProblem(step: string, evidence: Evidence): string | undefined {
  if (isGivenBefore(step, evidence)) return 'It was given before.';
  const placed = placedStep(step, evidence);
  if (placed === undefined) return undefined;
  return replacementProblem(placed) ?? answerProblem(placed) ?? importProblem(placed) ?? awaitProblem(placed);
}

function isGivenBefore(step: string, { earlier }: Evidence): boolean {
  const own = squeezed(step);
  return earlier.some(({ self_reflection: { actionable_insights: steps } }) =>
    steps.some((one) => squeezed(one) === own),
  );
}

function placedStep(step: string, evidence: Evidence): PlacedStep | undefined {
  const sources = nextSources(evidence);
  for (const [, file = '', row] of step.matchAll(PLACE)) {
    const lines = sources.linesOf(file);
    if (lines === undefined) continue;
    const line = Number(row);
    const rows = row === undefined ? lines : lines.slice(Math.max(0, line - 1 - AROUND), line + AROUND);
    return { step, evidence, file, rows, whole: lines.join('\n') };
  }
  return undefined;
}

const REPLACEMENT =
  /\b(?:replace|change|swap|exchange|substitute|rewrite|turn)\b[^`]*`([^`]+)`[^`]*?\b(?:with|by|to|into|for|as)\b[^`]*`([^`]+)`/i;
const INSTEAD =
  /\b(?:use|write|put|take)\b[^`]*`([^`]+)`[^`]*?\b(?:instead|rather|in (?:the )?place)\b[^`]*`([^`]+)`/i;
const TAKEN_BACK = /\b(?:undo|revert|roll back|take back|remove|drop|delete)\b[^`]*`([^`]+)`/i;

function replacementProblem({ step, evidence, file, rows }: PlacedStep): string | undefined {
  const hunks = evidence.hunks.filter((hunk) => hunk.file === file);
  const [added, removed] = [hunks.flatMap((hunk) => hunk.added), hunks.flatMap((hunk) => hunk.removed)];
  const { isKept, input } = evidence;
  const isBetter = isKept && input.evaluation.reward > input.previous.reward;
  const [from, to] = replaced(step);
  if (from === undefined || to === undefined) {
    const [, code] = TAKEN_BACK.exec(step) ?? [];
    const isNew = code !== undefined && isIn(added, code) && !isIn(removed, code);
    return isBetter && isNew ? 'It takes back an edit that was kept.' : undefined;
  }
  if (squeezed(from) === squeezed(to)) return 'It replaces code by the same code.';
  const own = rows.filter((row) => squeezed(row).includes(squeezed(from)));
  if (own.length === 0) return `${from} is not there in the tree that the next attempt starts from.`;
  const made = new Set(own.flatMap((row) => eachReplaced(squeezed(row), squeezed(from), squeezed(to))));
  const makes = (lines: readonly string[]): boolean => lines.some((one) => made.has(squeezed(one)));
  if (!isKept && makes(added)) return 'It is the edit that has just failed.';
  if (makes(addedInVain(evidence, file))) return 'It is an edit with which an earlier attempt has failed.';
  return isBetter && makes(removed) ? 'It takes back an edit that was kept.' : undefined;
}

/** The lines that earlier attempts wrote to a file without being better, as their actions record them. */
function addedInVain({ earlier }: Evidence, file: string): string[] {
  const failed = earlier.filter(({ performance_delta: delta }) => !delta.is_improvement);
  return failed
    .flatMap(({ actor_output: { actions } }) => actions)
    .filter((action) => action.file_path === file)
    .flatMap(({ changes }) => changes?.diff?.split('\n') ?? [])
    .flatMap((row) => (row.startsWith('+') ? [row.slice(1)] : []));
}

/** The code that a step replaces, and what it puts in its place. */
function replaced(step: string): readonly [from?: string, to?: string] {
  const [, from, to] = REPLACEMENT.exec(step) ?? [];
  if (from !== undefined) return [from, to];
  const [, other, own] = INSTEAD.exec(step) ?? [];
  return [own, other];
}

/** A text with one occurrence of a part replaced, for each of them. */
function eachReplaced(text: string, part: string, replacement: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    found.push(text.slice(0, at) + replacement + text.slice(at + part.length));
  return found;
}

function isIn(lines: readonly string[], code: string): boolean {
  return lines.some((line) => squeezed(line).includes(squeezed(code)));
}

/** Numbers that stand in most code. */
const COMMON = new Set([0, 1, 2]);

/** A value that a failing test expects, or by which its result is off, and that the code does not have. */
function answerProblem({ step, evidence, whole }: PlacedStep): string | undefined {
  const numbers = numbersIn(step).filter((one) => !COMMON.has(one) && !hasNumber(whole, one));
  const wanted = evidence.ahead.flatMap(({ expected, received }) => {
    const [want, got] = [Number(expected), Number(received)];
    return [want, Math.abs(want - got)].filter(Number.isFinite);
  });
  const fitted = numbers.find((one) => wanted.some((value) => Math.abs(value - one) < 1e-9));
  if (fitted !== undefined) return `It writes ${fitted}, which is fitted to a failing test.`;
  const texts = evidence.ahead.flatMap(
    ({ expected = '' }) => /^(['"`])(.{3,})\1$/s.exec(expected)?.[2] ?? [],
  );
  const answer = texts.find((text) => step.includes(text) && !whole.includes(text));
  return answer === undefined ? undefined : 'It writes what a failing test expects.';
}

function hasNumber(text: string, number: number): boolean {
  return new RegExp(String.raw`(?<![\w.])${escapeRegExp(String(number))}(?![\w.]*\d)`).test(text);
}

/** An import of a name that the file has imported, or that no source of the step exports. */
function importProblem({ step, whole }: PlacedStep): string | undefined {
  const [, name] = /\bimport `?([A-Za-z_$][\w$]*)`?/i.exec(step) ?? [];
  if (name === undefined) return undefined;
  const isThere = whole.split('\n').some((row) => /\b(?:import|require)\b/.test(row) && hasName(row, name));
  if (isThere) return `${name} is imported already.`;
  return /\bfrom\b/.test(step) ? undefined : `Nobody says from where ${name} is to be imported.`;
}

/** `await` where no function can wait. */
function awaitProblem({ step, whole }: PlacedStep): string | undefined {
  if (!/(?:^|[\s`])await\b/i.test(step) || /\basync\b/.test(step)) return undefined;
  return /\basync\b/.test(whole) || /^(?:\s*(?:const|let|var)\b[^=\n]*=\s*)?await\b/m.test(whole)
    ? undefined
    : 'It waits in a function that is not async.';
}

function hasName(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$])${escapeRegExp(name)}(?![\w$])`).test(text);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
