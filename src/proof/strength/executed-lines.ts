import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { instrumentForTrace, type TracedStatement } from '../../repair/localise/trace.ts';
import { applyEdits, type Edit } from '../../repair/syntax/edit.ts';
import { startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import type { Wrapping } from '../../repair/syntax/wrappings.ts';
import { lineStarts, type ChangedSource } from './changed-source.ts';
import { notices, type Noticed, type Runs } from './tried-run.ts';

/** The result of one run of the covering tests on traced copies of the changed files. */
export interface Executed {
  /** Whether a test fails on the traced copies. Unless `no`, nothing is known about lines. */
  readonly noticed: Noticed;
  /** Changed lines with code that no test runs, by file. */
  readonly unexecuted: ReadonlyMap<string, readonly number[]>;
}

/**
 * Finds the changed lines that no test runs: no statement on them is reached, and the tests pass just the same if each
 * of these statements throws. Code outside of functions counts as run once its file is loaded.
 */
export async function findExecuted(runs: Runs, sources: readonly ChangedSource[]): Promise<Executed> {
  const scratch = makeTemporaryFolder('strength');
  try {
    const hits = join(scratch, 'hits');
    const statements: TracedStatement[] = [];
    const texts = new Map<string, string>();
    for (const [index, { file, parsed }] of sources.entries()) {
      const traced = instrumentForTrace(parsed, statements.length, [recorder(parsed, { hits, index })]);
      statements.push(...traced.statements);
      texts.set(file, traced.text);
    }
    const noticed = await notices(runs, texts, [scratch]);
    if (noticed !== 'no') return { noticed, unexecuted: new Map() };
    const reached = new Set(existsSync(hits) ? readTreeTextSync(hits).split('\n') : []);
    const missed = statements.filter(({ id }) => !reached.has(String(id)));
    const isLoaded = (index: number): boolean => reached.has(`loaded ${index}`);
    const suspected = sources.map((source, index): Suspected => {
      const own = statements.filter(({ file }) => file === source.file);
      if (!isLoaded(index)) return { source, lines: source.codeLines, throwing: [throwAtStart(source)] };
      const unrun = missed.filter(({ file }) => file === source.file);
      const lines = source.codeLines.filter((line) => isMissed(source.parsed, line, own, unrun));
      return { source, lines, throwing: throwAt(source, unrun, lines) };
    });
    return { noticed, unexecuted: await confirmed(runs, suspected) };
  } finally {
    removeTemporaryFolder(scratch);
  }
}

interface Suspected {
  readonly source: ChangedSource;
  readonly lines: readonly number[];
  readonly throwing: readonly Edit[];
}

async function confirmed(runs: Runs, all: readonly Suspected[]): Promise<Map<string, readonly number[]>> {
  const suspected = all.filter(({ lines, throwing }) => lines.length > 0 && throwing.length > 0);
  if (suspected.length === 0) return new Map();
  const texts = suspected.map(({ source, throwing }): [string, string] => [
    source.file,
    applyEdits(source.parsed.text, throwing),
  ]);
  if ((await notices(runs, new Map(texts))) !== 'no') return new Map();
  return new Map(suspected.map(({ source, lines }) => [source.file, lines]));
}

/**
 * Whether all statements that begin on the line are missed, and the innermost one around them too unless the line's first
 * code begins a statement. Code outside of functions is not.
 */
function isMissed(
  { text }: ParsedSource,
  line: number,
  all: readonly TracedStatement[],
  missed: readonly TracedStatement[],
): boolean {
  const starts = lineStarts(text);
  const end = starts[line] ?? text.length;
  const start = starts[line - 1]!;
  const unrun = new Set(missed.map(({ id }) => id));
  const beginning = all.filter((statement) => statement.start >= start && statement.start < end);
  const code = start + /^\s*/.exec(text.slice(start, end))![0].length;
  const around = all
    .filter((statement) => statement.start < start && statement.end > start)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
    .slice(0, beginning.some((statement) => statement.start === code) ? 0 : 1);
  const holding = [...around, ...beginning];
  return holding.length > 0 && holding.every(({ id }) => unrun.has(id));
}

const THROW = `throw new Error('executed');`;

function throwAtStart({ file, parsed }: ChangedSource): Edit {
  const at = firstStatement(parsed);
  return { file, start: at, end: at, replacement: THROW };
}

/** Each outermost missed statement on these lines throws. An arrow function's body may be in parentheses. */
function throwAt(
  { file, parsed }: ChangedSource,
  missed: readonly TracedStatement[],
  lines: readonly number[],
): Edit[] {
  const onLines = missed.filter(({ line }) => lines.includes(line));
  return onLines
    .filter((inner) => !onLines.some((outer) => outer !== inner && holds(outer, inner)))
    .map(({ start, end }) => {
      const isInParentheses = /=>\s*\(\s*$/.test(parsed.text.slice(0, start));
      return { file, start, end, replacement: isInParentheses ? `(()=>{${THROW}})()` : `{${THROW}}` };
    });
}

function holds(outer: TracedStatement, inner: TracedStatement): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Statements that write each reached id once into the file `hits`; they need nothing of the program's own. */
function recorder(parsed: ParsedSource, { hits, index }: { hits: string; index: number }): Wrapping {
  const append = `fs?.appendFileSync(${JSON.stringify(hits)},id+'\\n')`;
  const record = `(id)=>{if(!seen.has(id)){seen.add(id);${append};}}`;
  const fs = `globalThis.process?.getBuiltinModule?.('node:fs')`;
  const install = `globalThis.__ralphTrace??=(()=>{const seen=new Set(),fs=${fs};return ${record};})();`;
  const at = firstStatement(parsed);
  return { start: at, end: at, before: `${install}globalThis.__ralphTrace('loaded ${index}');`, after: '' };
}

function firstStatement({ tree, text }: ParsedSource): number {
  const [first] = tree.program.body;
  return first === undefined ? text.length : startOf(first);
}
