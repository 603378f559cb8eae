import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedLine, LineTrace, TraceRequest, Tracer } from '../../ports.ts';
import type { Diagnostic, TestCase } from '../../schema/generated.ts';
import { toolOf } from '../../tools.ts';
import { failureGroups } from '../localise/failures.ts';
import { instrumentForTrace, type TracedStatement } from '../localise/trace.ts';
import { parseSource } from '../syntax/parse.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { whyNotSearched } from '../syntax/why-not-searched.ts';
import { runInstrumented } from '../trial/instrumented-run.ts';

/** Most changed files that are instrumented, and the longest run. */
const MOST_FILES = 10;
const BUDGET_MS = 10_000;

/**
 * Creates a tracer that runs one failing test once more, while the changed files report the statements that it reaches,
 * and restores them. Only test runners whose tests the offline search can wrap are traced.
 */
export function createTracer(): Tracer {
  return { trace: traceChangedLines };
}

async function traceChangedLines(request: TraceRequest): Promise<LineTrace | undefined> {
  const found = testOf(request);
  if (found === undefined) return undefined;
  const { texts, statements } = await instrument(request);
  const places = request.lines.map((line) => ({ line, ids: statementsAt(statements, line) }));
  if (places.every(({ ids }) => ids.length === 0)) return undefined;
  const { bench, root, signal } = request;
  const target = { context: { root, bench, signal }, ...found, only: [found.test] };
  const run = await runInstrumented(target, texts, {
    ...{ mode: 'trace', ids: [], careful: [], shards: 1 },
    ...{ minCandidateMs: 0, testBudgetMs: 0, processBudgetMs: BUDGET_MS },
  });
  const failed = (run?.processes ?? [])
    .flat()
    .flatMap((record) => (record.type === 'test' && !record.passed ? [record] : []));
  const hasFailedAgain = run?.report.tests.some(
    ({ id, status }) => id === found.test.id && status === 'failed',
  );
  const [record] = failed;
  if (hasFailedAgain !== true || failed.length !== 1 || record?.hits === undefined) return undefined;
  const hits = new Set(record.hits);
  const isHit = ({ ids }: { readonly ids: readonly number[] }): boolean => ids.some((id) => hits.has(id));
  // A line in which no statement begins is part of a larger one, or runs when its module loads.
  const known = places.filter(({ ids }) => ids.length > 0);
  return {
    testId: found.test.id,
    ran: known.filter(isHit).map(({ line }) => line),
    missed: known.filter((place) => !isHit(place)).map(({ line }) => line),
    unknown: places.filter(({ ids }) => ids.length === 0).map(({ line }) => line),
  };
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

async function instrument({
  root,
  lines,
}: TraceRequest): Promise<{ texts: Map<string, string>; statements: TracedStatement[] }> {
  const texts = new Map<string, string>();
  const statements: TracedStatement[] = [];
  for (const file of [...new Set(lines.map((one) => one.file))].slice(0, MOST_FILES)) {
    if (!isEditableSource(file)) continue;
    const text = await readFile(join(root, file), 'utf8').catch(() => undefined);
    if (text === undefined || whyNotSearched(file, text) !== undefined) continue;
    const parsed = parseSource(file, text);
    if ('problem' in parsed) continue;
    const traced = instrumentForTrace(parsed, statements.length);
    statements.push(...traced.statements);
    if (traced.statements.length > 0) texts.set(file, traced.text);
  }
  return { texts, statements };
}

/** The statements that begin in the line. */
function statementsAt(statements: readonly TracedStatement[], { file, line }: ChangedLine): number[] {
  return statements.filter((one) => one.file === file && one.line === line).map(({ id }) => id);
}
