import type { Diagnostic } from '../../schema/generated.ts';
import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import type { Region } from '../syntax/regions.ts';
import { functionOf, isFunction, sitesOf } from '../syntax/walk.ts';
import type { TracedStatement } from './trace.ts';

/** A region of a file and how likely it holds the fault. Where regions nest, the innermost one counts. */
export interface SuspectRegion extends Region {
  /** 1-based line of its start. */
  readonly line: number;
}

/** A file that may hold the fault. */
export interface Suspect {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly regions: readonly SuspectRegion[];
  /** The highest weight of its regions. */
  readonly weight: number;
}

/** One test of a traced run. */
export interface TracedTest {
  readonly passed: boolean;
  /** Ids of the statements that it reached. */
  readonly hits: readonly number[];
}

/** Suspicion of top-level code, which no trace covers. */
const MODULE_WEIGHT = 0.12;

/**
 * Files with the statements that failing tests reached, most suspicious first. A statement's weight is its Ochiai
 * suspiciousness times its factor; if one exceeds 1, all are scaled down together.
 */
export function suspectsOf(
  statements: readonly TracedStatement[],
  tests: readonly TracedTest[],
  factors: ReadonlyMap<number, number> = new Map(),
): Suspect[] {
  const weights = ochiai(tests);
  const reached = statements.flatMap((statement) => {
    const weight = (weights.get(statement.id) ?? 0) * (factors.get(statement.id) ?? 1);
    return weight === 0 ? [] : [{ ...statement, weight }];
  });
  const scale = Math.max(1, ...reached.map(({ weight }) => weight));
  const scaled = reached.map((region) => ({ ...region, weight: region.weight / scale }));
  return [...Map.groupBy(scaled, ({ file }) => file)]
    .map(([file, regions]) => ({ file, regions, weight: Math.max(...regions.map(({ weight }) => weight)) }))
    .sort((a, b) => b.weight - a.weight);
}

/**
 * Ochiai suspiciousness, 0..1, by statement id: failing tests that reach the statement, divided by
 * √(all failing tests × all tests that reach it). Statements that no failing test reaches are absent.
 * Source: Abreu, Zoeteweij and van Gemund, "An evaluation of similarity coefficients for software fault
 * localization", 2006.
 */
export function ochiai(tests: readonly TracedTest[]): Map<number, number> {
  const failing = tests.filter(({ passed }) => !passed);
  const count = (of: readonly TracedTest[]): Map<number, number> => {
    const counts = new Map<number, number>();
    for (const id of of.flatMap(({ hits }) => hits)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  };
  const reaching = count(tests);
  return new Map(
    [...count(failing)].map(([id, failed]) => [id, failed / Math.sqrt(failing.length * reaching.get(id)!)]),
  );
}

/** Suspicion of a file without a trace: 1 on the lines that the failures name, `weight` elsewhere. */
export function untracedSuspect(
  file: string,
  text: string,
  {
    diagnostics,
    weight,
    factors = new Map(),
  }: {
    diagnostics: readonly Diagnostic[];
    weight: number;
    /** By 1-based line. */
    factors?: ReadonlyMap<number, number>;
  },
): Suspect {
  const named = new Set(
    diagnostics
      .flatMap((diagnostic) => [diagnostic, ...(diagnostic.frames ?? [])])
      .filter((place) => place.file === file && place.line !== undefined)
      .map(({ line }) => line!),
  );
  const weightOf = (line: number): number =>
    named.has(line) ? 1 : Math.min(1, weight * (factors.get(line) ?? 1));
  const whole: SuspectRegion = { start: 0, end: text.length, line: 1, weight };
  const lines = linesOf(text)
    .filter(({ line }) => named.has(line) || factors.has(line))
    .map((range) => ({ ...range, weight: weightOf(range.line) }));
  const regions = [whole, ...lines];
  return { file, regions, weight: Math.max(...regions.map((region) => region.weight)) };
}

/** Top-level code, weakly suspected; functions in it get weight 0, which regions of traced statements override. */
export function moduleRegions({ tree }: ParsedSource): SuspectRegion[] {
  const outermost = sitesOf(tree.program).filter(
    (site) => isFunction(site.node) && functionOf(site.parent!) === undefined,
  );
  const regionOf = (node: (typeof tree.program.body)[number], weight: number): SuspectRegion => ({
    start: startOf(node),
    end: endOf(node),
    line: node.loc!.start.line,
    weight,
  });
  return [
    ...tree.program.body
      .filter(({ type }) => type !== 'ImportDeclaration')
      .map((statement) => regionOf(statement, MODULE_WEIGHT)),
    ...outermost.map(({ node }) => regionOf(node as (typeof tree.program.body)[number], 0)),
  ];
}

/** Statements in functions that are called while modules load, suspected as top-level code is. */
export function loadedRegions(
  statements: readonly TracedStatement[],
  loading: ReadonlySet<number>,
): (TracedStatement & SuspectRegion)[] {
  return statements.filter(({ id }) => loading.has(id)).map((it) => ({ ...it, weight: MODULE_WEIGHT }));
}

function linesOf(text: string): { line: number; start: number; end: number }[] {
  let start = 0;
  return text.split('\n').map((content, index) => {
    const range = { line: index + 1, start, end: start + content.length };
    start = range.end + 1;
    return range;
  });
}
