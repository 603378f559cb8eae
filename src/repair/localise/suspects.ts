import type { Diagnostic } from '../../schema/generated.ts';
import { factorsOfStatements, type LineFactors, withFrames } from './emphasis.ts';
import type { FailureGroup } from './failures.ts';
import { constantRegions } from './constant-regions.ts';
import { moduleRegions, suspectsOf, untracedSuspect, type Suspect } from './localise.ts';
import type { ParsedSource } from '../syntax/parse.ts';
import { traceTests, type NamedTest, type TestTrace } from './trace-tests.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';

/** Where the fault may be, most suspicious first, and what that rests on. */
export interface Localisation {
  readonly suspects: readonly Suspect[];
  /** One sentence for the trajectory. */
  readonly basis: string;
  /** The command line that traced the tests, where one did. */
  readonly command?: string;
}

/**
 * Files behind a group of failures: those that the failing tests reach, statement by statement, where the test
 * file can be traced; otherwise all that it imports and all that the failures' stacks name.
 */
export async function findSuspects(ground: TrialTarget, group: FailureGroup): Promise<Localisation> {
  const trace = group.trace ?? (await traceTests(ground, group.diagnostics));
  const { sources, statements, tracedFiles, command } = trace;
  const tests = spectrumOf(trace, group);
  const lines = withFrames(group.facts ?? new Map(), group.diagnostics);
  const traced = suspectsOf(statements, tests, factorsOfStatements(statements, sources, lines));
  if (traced.length === 0) return untraced(sources, group.diagnostics, lines);
  const failing = tests.filter(({ passed }) => !passed).length;
  return {
    suspects: withModuleCode(traced, sources),
    basis: `${failing} failing and ${tests.length - failing} passing tests of ${group.file} traced through ${tracedFiles} files`,
    ...(command !== undefined && { command }),
  };
}

/** All that passed, and those that fail for this group's reason: other failures say nothing either way. */
function spectrumOf({ tests }: TestTrace, group: FailureGroup): readonly NamedTest[] {
  const ids = new Set(group.tests.map(({ id }) => id));
  const own = tests.filter(({ passed, id }) => passed || id === undefined || ids.has(id));
  return own.some(({ passed }) => !passed) ? own : tests;
}

/** Constants and tables that traced functions use run before any test does, so no trace tells of them. */
function withModuleCode(suspects: readonly Suspect[], sources: readonly ParsedSource[]): Suspect[] {
  const traced = new Map(suspects.map((suspect) => [suspect.file, suspect]));
  const all = sources.map((parsed) => {
    const suspect = traced.get(parsed.file);
    const own = suspect?.regions ?? [];
    const regions = [...moduleRegions(parsed), ...constantRegions(parsed, own), ...own];
    return {
      file: parsed.file,
      regions,
      weight: suspect?.weight ?? Math.max(0, ...regions.map((r) => r.weight)),
    };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

function untraced(
  sources: readonly ParsedSource[],
  diagnostics: readonly Diagnostic[],
  lines: LineFactors,
): Localisation {
  const suspects = sources.map(({ file, text }, index) =>
    untracedSuspect(file, text, {
      diagnostics,
      weight: 0.5 / (1 + index),
      factors: lines.get(file) ?? new Map(),
    }),
  );
  return {
    suspects: suspects.sort((a, b) => b.weight - a.weight),
    basis: 'the imports of the test file and the stacks of its failures; its tests could not be traced',
  };
}
