import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { Tracer } from '../../ports.ts';
import type { ChangedLine, LineTrace, TraceRequest } from '../../ports/reflection.ts';
import type { Diagnostic, TestCase } from '../../schema/generated.ts';
import { toolOf } from '../../tools.ts';
import { failureGroups } from '../localise/failures.ts';
import { likelySources } from '../localise/likely-sources.ts';
import { instrumentForTrace, keepLoading, noteLoading, type TracedStatement } from '../localise/trace.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { whyNotSearched } from '../syntax/why-not-searched.ts';
import { runInstrumented, type InstrumentedRun } from '../trial/instrumented-run.ts';
import type { TrialRecord } from '../trial/protocol.ts';
import { executesLine } from './executed-lines.ts';
import { mayBeBuilt } from './may-be-built.ts';
import { selectValues } from './select-values.ts';
import { watchValues, type WatchedExpression } from './watch-values.ts';

/** Most files that are instrumented, the largest one, and the longest run. */
const MOST_FILES = 10;
const MOST_CHARS = 300_000;
const BUDGET_MS = 10_000;
/** Above the ids of all statements. */
const FIRST_LOAD = 10_000_000;

/**
 * Creates a tracer that runs one failing test once more, while the changed files and the sources that the test reaches report
 * their statements and values, and restores them. Only test runners whose tests the offline search can wrap are traced.
 */
export function createTracer(): Tracer {
  return { trace: traceFailure, executes: fixExecutes };
}

async function traceFailure(request: TraceRequest): Promise<LineTrace | undefined> {
  const traced = await runTraced(request);
  if (traced === undefined) return undefined;
  const { found, run, statements, watched } = traced;
  const record = failedAlike(run, request.failure);
  if (record?.hits === undefined) return undefined;
  const loaded = loadedFiles(traced);
  const isKnown = ({ file }: ChangedLine): boolean => loaded.has(file) || !mayBeBuilt(request.root, file);
  const lines = linesBy(statements, request.lines, { hits: new Set(record.hits), isKnown });
  const values = selectValues(watched, record.values ?? [], { root: request.root, changed: request.lines });
  const isEmpty = lines.ran.length + lines.missed.length + values.length === 0;
  return isEmpty ? undefined : { testId: found.test.id, ...lines, values };
}

/**
 * Whether the test of a failure that is gone passes again in a traced run, and executes a changed line in it. False only where it
 * executes none of them: each is a statement of a file that the run loaded to its end, or of one that nothing leads to.
 */
async function fixExecutes(request: TraceRequest): Promise<boolean | undefined> {
  const traced = await runTraced(request);
  if (traced === undefined) return undefined;
  const { found, run, statements, parsed, texts } = traced;
  // Without a function there is nothing to trace: what the test imports has run.
  if (texts.size === 0)
    return executesLine(request.lines, { parsed, statements, hits: new Set() }) || undefined;
  const passed = (run?.processes ?? [])
    .flat()
    .flatMap((record) => (record.type === 'test' && record.passed ? [record] : []));
  const isGreen = run?.report.tests.some(({ id, status }) => id === found.test.id && status === 'passed');
  const hits = passed.length === 1 ? passed[0]!.hits : undefined;
  if (isGreen !== true || hits === undefined) return undefined;
  if (executesLine(request.lines, { parsed, statements, hits: new Set(hits) })) return true;
  const loaded = loadedFiles(traced);
  const isKnown = ({ file }: ChangedLine): boolean => loaded.has(file) || !mayBeBuilt(request.root, file);
  const { missed, unknown } = linesBy(statements, request.lines, { hits: new Set(hits), isKnown });
  return missed.length > 0 && unknown.length === 0 ? false : undefined;
}

type Traced = Instrumented & { readonly found: FoundTest; readonly run: InstrumentedRun | undefined };

async function runTraced(request: TraceRequest): Promise<Traced | undefined> {
  const found = testOf(request);
  if (found === undefined) return undefined;
  const instrumented = await instrument(request, found.testFile);
  if (instrumented.texts.size === 0) return { ...instrumented, found, run: undefined };
  const { bench, root, signal } = request;
  const target = { context: { root, bench, signal }, ...found, only: [found.test] };
  const run = await runInstrumented(target, instrumented.texts, {
    ...{ mode: 'trace', ids: [], careful: [], shards: 1 },
    ...{ minCandidateMs: 0, testBudgetMs: 0, processBudgetMs: BUDGET_MS },
  });
  return { ...instrumented, found, run };
}

/** The record of the test, if it alone failed, with the values of the failure. */
function failedAlike(
  run: InstrumentedRun | undefined,
  { test_id: id, received }: Diagnostic,
): Extract<TrialRecord, { type: 'test' }> | undefined {
  const failed = (run?.processes ?? [])
    .flat()
    .flatMap((record) => (record.type === 'test' && !record.passed ? [record] : []));
  const hasFailedAgain = run?.report.tests.some((test) => test.id === id && test.status === 'failed');
  const again = run?.report.diagnostics.find((one) => one.test_id === id);
  return hasFailedAgain === true && failed.length === 1 && again?.received === received
    ? failed[0]
    : undefined;
}

function linesBy(
  statements: readonly TracedStatement[],
  lines: readonly ChangedLine[],
  { hits, isKnown }: { readonly hits: ReadonlySet<number>; readonly isKnown: (line: ChangedLine) => boolean },
): Pick<LineTrace, 'ran' | 'missed' | 'unknown'> {
  const places = lines.map((line) => ({ line, ids: statementsAt(statements, line) }));
  const isHit = ({ ids }: { readonly ids: readonly number[] }): boolean => ids.some((id) => hits.has(id));
  // A line in which no statement begins is part of a larger one, or runs when its module loads.
  // Of a file that the run did not load, a built copy may have run.
  const [ran, others] = [places.filter(isHit), places.filter((place) => !isHit(place))];
  const missed = others.filter(({ line, ids }) => ids.length > 0 && isKnown(line));
  const linesOf = (some: typeof places): ChangedLine[] => some.map(({ line }) => line);
  return {
    ran: linesOf(ran),
    missed: linesOf(missed),
    unknown: linesOf(others.filter((place) => !missed.includes(place))),
  };
}

/** Files that the traced process loaded to their ends, before the test or in it. */
function loadedFiles({ run, loads }: Traced): Set<string> {
  const hits = (run?.processes ?? [])
    .flat()
    .flatMap((record) => (record.type === 'loading' || record.type === 'test' ? (record.hits ?? []) : []));
  return new Set(hits.flatMap((id) => loads.get(id) ?? []));
}

interface FoundTest {
  readonly check: TraceRequest['project']['checks'][number];
  /** Relative to the root. */
  readonly testFile: string;
  readonly test: TestCase;
}

/** The failing test with its file, if its runner's tests can be wrapped. */
function testOf({ root, project, evaluation, failure }: TraceRequest): FoundTest | undefined {
  const group = groupOf({ root, project, evaluation }, failure);
  const test = group?.tests.find(({ id }) => id === failure.test_id);
  const check = project.checks.find(({ name }) => name === group?.check);
  if (group === undefined || test === undefined || check === undefined) return undefined;
  // Tests behind a build run built code, not the changed lines.
  const isTraceable = toolOf(check.tool).dialect !== undefined && check.setup.length === 0;
  return isTraceable ? { check, testFile: group.file, test } : undefined;
}

function groupOf(
  where: Pick<TraceRequest, 'root' | 'project' | 'evaluation'>,
  { test_id: id }: Diagnostic,
): ReturnType<typeof failureGroups>[number] | undefined {
  if (id === undefined) return undefined;
  return failureGroups(where).find(({ tests }) => tests.some((test) => test.id === id));
}

interface Instrumented {
  readonly texts: Map<string, string>;
  /** The files that the test's imports lead to, as they are. */
  readonly parsed: readonly ParsedSource[];
  readonly statements: TracedStatement[];
  readonly watched: WatchedExpression[];
  /** The files by the id that each reports when it has loaded. */
  readonly loads: ReadonlyMap<number, string>;
}

/** Changed files first, then those nearest to the test. */
async function instrument({ root, lines }: TraceRequest, testFile: string): Promise<Instrumented> {
  const reached = await likelySources(root, testFile, { limit: MOST_FILES });
  const files = new Set([...lines.map(({ file }) => file), ...reached]);
  const texts = new Map<string, string>();
  const statements: TracedStatement[] = [];
  const watched: WatchedExpression[] = [];
  const sources: ParsedSource[] = [];
  const loads = new Map<number, string>();
  for (const file of [...files].slice(0, MOST_FILES)) {
    if (!isEditableSource(file)) continue;
    const text = await readTreeText(join(root, file)).catch(() => undefined);
    if (text === undefined || text.length > MOST_CHARS) continue;
    const parsed = parseSource(file, text);
    if ('problem' in parsed) continue;
    if (reached.includes(file)) sources.push(parsed);
    if (whyNotSearched(file, text) !== undefined) continue;
    const values = watchValues(parsed, watched.length);
    const load = FIRST_LOAD + loads.size;
    const extras = [...values.wrappings, keepLoading(parsed), noteLoading(parsed, load)];
    loads.set(load, file);
    const traced = instrumentForTrace(parsed, statements.length, extras);
    statements.push(...traced.statements);
    watched.push(...values.watched);
    if (traced.statements.length + values.watched.length > 0) texts.set(file, traced.text);
  }
  return { texts, statements, watched, loads, parsed: sources };
}

/** The statements that begin in the line. */
function statementsAt(statements: readonly TracedStatement[], { file, line }: ChangedLine): number[] {
  return statements.filter((one) => one.file === file && one.line === line).map(({ id }) => id);
}
