import { plural } from '../../platform/text/plural.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { blockEnds } from './block-ends.ts';
import { constantRegions } from './constant-regions.ts';
import type { FailureGroup } from './failures.ts';
import { factorsOfStatements, type LineFactors, withFrames } from './line-factors.ts';
import { loadedRegions, moduleRegions, suspectsOf, untracedSuspect, type Suspect } from './localise.ts';
import { traceTests, type NamedTest, type RunTraced, type TestFile, type TestTrace } from './trace-tests.ts';

/** Files that may hold the fault, and the evidence. */
export interface Localisation {
  /** Most suspicious first. */
  readonly suspects: readonly Suspect[];
  /** Noun phrase for the trajectory: `Located suspects by …`. */
  readonly basis: string;
  /** Command line of the traced run; absent if nothing ran. */
  readonly command?: string;
}

/**
 * Locates suspects for a group of failures: by the statements that its tests reach if the test file can be traced,
 * otherwise by the test file's imports and the failures' stacks.
 */
export async function findSuspects(
  test: TestFile,
  group: FailureGroup,
  runTraced: RunTraced,
): Promise<Localisation> {
  const trace = group.trace ?? (await traceTests(test, group.diagnostics, runTraced));
  const { sources, statements, tracedFiles, command } = trace;
  const tests = relevantTests(trace, group);
  const lines = withFrames(group.lineFactors ?? new Map(), group.diagnostics);
  const traced = suspectsOf(statements, tests, factorsOfStatements(statements, sources, lines));
  if (traced.length === 0) return localiseUntraced(trace, group.diagnostics, lines);
  const failing = tests.filter(({ passed }) => !passed).length;
  const passing = plural(tests.length - failing, 'passing test');
  return {
    suspects: withModuleCode(traced, trace),
    basis: `${failing} failing and ${passing} of ${group.file} traced through ${plural(tracedFiles, 'file')}`,
    command,
  };
}

/** Passing tests and the group's own failing ones; failures of other causes are no evidence for this one. */
function relevantTests({ tests }: TestTrace, group: FailureGroup): readonly NamedTest[] {
  const ids = new Set(group.tests.map(({ id }) => id));
  const own = tests.filter(({ passed, id }) => passed || id === undefined || ids.has(id));
  return own.some(({ passed }) => !passed) ? own : tests;
}

/** Adds code that runs when a file is loaded, at the top level and in functions, and so appears in no test's trace. */
function withModuleCode(
  suspects: readonly Suspect[],
  { sources, statements, loading }: TestTrace,
): Suspect[] {
  const traced = new Map(suspects.map((suspect) => [suspect.file, suspect]));
  const loaded = loadedRegions(statements, new Set(loading));
  const all = sources.map((parsed) => {
    const suspect = traced.get(parsed.file);
    const own = suspect?.regions ?? [];
    const inTests = new Set(own.map(({ start }) => start));
    const whileLoading = loaded.filter(({ file, start }) => file === parsed.file && !inTests.has(start));
    const regions = [
      ...moduleRegions(parsed),
      ...whileLoading,
      ...constantRegions(parsed, own),
      ...own,
      ...blockEnds(parsed, own),
    ];
    return {
      file: parsed.file,
      regions,
      weight: suspect?.weight ?? Math.max(0, ...regions.map(({ weight }) => weight)),
    };
  });
  return all.sort((a, b) => b.weight - a.weight);
}

function localiseUntraced(
  { sources, tests }: TestTrace,
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
    basis: `the imports of the test file and the stacks of its failures; ${tests.length === 0 ? 'its tests could not be traced' : 'the failing tests call none of it themselves'}`,
  };
}
