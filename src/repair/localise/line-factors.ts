import type { AttemptContext } from '../../ports/attempt.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import type { ParsedSource } from '../syntax/parse.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { TracedStatement } from './trace.ts';

/** Multipliers of suspicion by file and 1-based line; 1 for lines that are not listed. */
export type LineFactors = ReadonlyMap<string, ReadonlyMap<number, number>>;

const FRAME_FACTOR = 1.5;
const ERROR_FACTOR = 1.25;
const RECENT_FACTOR = 1.25;
/** A larger change is no evidence against a single line. */
const MAX_RECENT_LINES = 400;

/** Factors for lines with type or lint errors and for recently changed lines. */
export function lineFactors(
  { evaluation, project }: AttemptContext,
  recent: RecentChanges = new Map(),
): LineFactors {
  const checks = project.checks
    .filter(({ kind }) => kind === 'types' || kind === 'lint')
    .map(({ name }) => name);
  const factors = new Map<string, Map<number, number>>();
  const errors = evaluation.diagnostics.filter(
    ({ check, severity }) => severity === 'error' && checks.includes(check),
  );
  for (const { file, line } of uniquePlaces(errors)) multiply(factors, file, line, ERROR_FACTOR);
  for (const [file, ranges] of recent) {
    const lines = ranges.flatMap(({ first, last }) =>
      last - first > MAX_RECENT_LINES
        ? []
        : Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    if (lines.length > MAX_RECENT_LINES) continue;
    for (const line of new Set(lines)) multiply(factors, file, line, RECENT_FACTOR);
  }
  return factors;
}

/** Adds factors for the lines in the failures' stacks, the strongest evidence. */
export function withFrames(known: LineFactors, diagnostics: readonly Diagnostic[]): LineFactors {
  const factors = new Map([...known].map(([file, lines]) => [file, new Map(lines)]));
  const frames = diagnostics.flatMap(({ frames: places = [] }) => places);
  for (const { file, line } of uniquePlaces(frames)) multiply(factors, file, line, FRAME_FACTOR);
  return factors;
}

/**
 * Factors by statement id. A line's factor applies to the statements that begin on it; if there are none, to the
 * smallest one around it.
 */
export function factorsOfStatements(
  statements: readonly TracedStatement[],
  sources: readonly ParsedSource[],
  lines: LineFactors,
): ReadonlyMap<number, number> {
  const factors = new Map<number, number>();
  for (const [file, own] of Map.groupBy(statements, (statement) => statement.file)) {
    const text = sources.find((source) => source.file === file)?.text;
    const ownLines = lines.get(file);
    if (text === undefined || ownLines === undefined) continue;
    const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    for (const [line, factor] of ownLines) {
      for (const { id } of statementsOn(own, line, starts[line - 1] ?? text.length)) {
        factors.set(id, Math.max(factors.get(id) ?? 1, factor));
      }
    }
  }
  return factors;
}

function statementsOn(
  statements: readonly TracedStatement[],
  line: number,
  lineStart: number,
): readonly TracedStatement[] {
  const beginning = statements.filter((statement) => statement.line === line);
  if (beginning.length > 0) return beginning;
  const around = statements.filter(({ start, end }) => start < lineStart && lineStart < end);
  const [first, ...rest] = around;
  if (first === undefined) return [];
  const sizeOf = ({ start, end }: TracedStatement): number => end - start;
  return [
    rest.reduce(
      (smallest, statement) => (sizeOf(statement) < sizeOf(smallest) ? statement : smallest),
      first,
    ),
  ];
}

interface Place {
  readonly file?: string;
  readonly line?: number;
}

function uniquePlaces(places: readonly Place[]): { file: string; line: number }[] {
  const known = new Map<string, { file: string; line: number }>();
  for (const { file, line } of places) {
    if (file !== undefined && line !== undefined) known.set(`${file}:${line}`, { file, line });
  }
  return [...known.values()];
}

function multiply(
  factors: Map<string, Map<number, number>>,
  file: string,
  line: number,
  factor: number,
): void {
  const lines = factors.get(file) ?? new Map<number, number>();
  lines.set(line, (lines.get(line) ?? 1) * factor);
  factors.set(file, lines);
}
