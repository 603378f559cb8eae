import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '../../schema/generated.ts';
import type { FailureGroup } from './failures.ts';
import { reachedSources } from './imports.ts';
import { moduleRegions, suspectsOf, untracedSuspect, type Suspect } from './localise.ts';
import { parseSource, type ParsedSource } from './parse.ts';
import { isEditableSource } from './source-files.ts';
import { instrumentForTrace, type TracedStatement } from './trace.ts';
import { runInstrumented, type TrialGround } from './trial-session.ts';

/** Where the fault may be, most suspicious first, and what that rests on. */
export interface Localisation {
  readonly suspects: readonly Suspect[];
  /** One sentence for the trajectory. */
  readonly basis: string;
  /** The command line that traced the tests, where one did. */
  readonly command?: string;
}

const MAX_FILES = 40;
const MAX_FILE_CHARS = 300_000;
const TRACE_BUDGET_MS = 30_000;

/**
 * Files behind a group of failures: those that the failing tests reach, statement by statement, where the test
 * file can be traced; otherwise all that it imports and all that the failures' stacks name.
 */
export async function findSuspects(ground: TrialGround, group: FailureGroup): Promise<Localisation> {
  const sources = await readSources(ground, group.diagnostics);
  const { statements, texts } = instrumentAll(sources);
  const run =
    texts.size === 0
      ? undefined
      : await runInstrumented({ ...ground, only: undefined }, texts, {
          mode: 'trace',
          ids: [],
          careful: [],
          shards: 1,
          minCandidateMs: 0,
          testBudgetMs: 0,
          processBudgetMs: TRACE_BUDGET_MS,
        });
  const tests = (run?.processes.flat() ?? []).flatMap((record) =>
    record.type === 'test' && record.hits !== undefined ? [{ passed: record.passed, hits: record.hits }] : [],
  );
  const failing = tests.filter(({ passed }) => !passed);
  const traced = suspectsOf(statements, tests, group.diagnostics);
  if (traced.length === 0) return untraced(sources, group.diagnostics);
  return {
    suspects: withModuleCode(traced, sources),
    basis: `${failing.length} failing and ${tests.length - failing.length} passing tests of ${group.file} traced through ${texts.size} files`,
    command: run!.report.command,
  };
}

async function readSources(
  { context: { root }, testFile }: TrialGround,
  diagnostics: readonly Diagnostic[],
): Promise<ParsedSource[]> {
  const reached = reachedSources(root, testFile).map(({ file }) => file);
  const framed = diagnostics
    .flatMap(({ file, frames = [] }) => [...frames.map((frame) => frame.file), file])
    .filter((file): file is string => file !== undefined && isEditableSource(file));
  const files = [...new Set([...framed, ...reached])].slice(0, MAX_FILES);
  const sources: ParsedSource[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    const parsed = text.length > MAX_FILE_CHARS ? { problem: 'too large' } : parseSource(file, text);
    if (!('problem' in parsed)) sources.push(parsed);
  }
  return sources;
}

function instrumentAll(sources: readonly ParsedSource[]): {
  statements: TracedStatement[];
  texts: Map<string, string>;
} {
  const statements: TracedStatement[] = [];
  const texts = new Map<string, string>();
  for (const parsed of sources) {
    const traced = instrumentForTrace(parsed, statements.length);
    if (traced.statements.length === 0) continue;
    statements.push(...traced.statements);
    texts.set(parsed.file, traced.text);
  }
  return { statements, texts };
}

/** Constants and tables that traced functions use run before any test does, so no trace tells of them. */
function withModuleCode(suspects: readonly Suspect[], sources: readonly ParsedSource[]): Suspect[] {
  const traced = new Map(suspects.map((suspect) => [suspect.file, suspect]));
  const all = sources.map((parsed) => {
    const suspect = traced.get(parsed.file);
    const regions = [...moduleRegions(parsed), ...(suspect?.regions ?? [])];
    return {
      file: parsed.file,
      regions,
      weight: suspect?.weight ?? Math.max(0, ...regions.map((r) => r.weight)),
    };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

function untraced(sources: readonly ParsedSource[], diagnostics: readonly Diagnostic[]): Localisation {
  const suspects = sources.map(({ file, text }, index) =>
    untracedSuspect(file, text, { diagnostics, weight: 0.5 / (1 + index) }),
  );
  return {
    suspects: suspects.sort((a, b) => b.weight - a.weight),
    basis: 'the imports of the test file and the stacks of its failures; its tests could not be traced',
  };
}
