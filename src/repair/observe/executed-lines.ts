import type { Node } from '@babel/types';
import type { ChangedLine } from '../../ports/reflection.ts';
import type { TracedStatement } from '../localise/trace.ts';
import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { functionOf, sitesOf, type Site } from '../syntax/walk.ts';

/** A traced run: the files that the test's imports lead to, and the ids of the statements that it reached. */
interface TracedRun {
  readonly parsed: readonly ParsedSource[];
  readonly statements: readonly TracedStatement[];
  readonly hits: ReadonlySet<number>;
}

/**
 * True if the run executed code that begins on one of the lines: a statement that it reached or a part of one, or code outside
 * of functions, which runs when its file loads. Comments and blank lines are never executed.
 */
export function executesLine(
  lines: readonly ChangedLine[],
  { parsed, statements, hits }: TracedRun,
): boolean {
  return parsed.some(({ file, tree }) => {
    const wanted = new Set(lines.filter((line) => line.file === file).map(({ line }) => line));
    if (wanted.size === 0) return false;
    const traced = statements.filter((one) => one.file === file);
    const begins = Map.groupBy(
      sitesOf(tree.program).filter(({ parent }) => parent !== undefined),
      ({ node }) => node.loc!.start.line,
    );
    return [...wanted].some((line) => {
      const sites = begins.get(line) ?? [];
      const inFunctions = sites.filter((site) => ownerOf(site) !== undefined);
      // What is in no function runs when the file loads; a function is not run by being declared.
      if (inFunctions.length === 0) return sites.some((site) => functionOf(site) === undefined);
      return inFunctions.some((site) => isReached(site, traced, hits));
    });
  });
}

function ownerOf({ parent }: Site): Site | undefined {
  return parent === undefined ? undefined : functionOf(parent);
}

/** By the innermost statement around the code; of parameters by any statement of their function. */
function isReached(site: Site, traced: readonly TracedStatement[], hits: ReadonlySet<number>): boolean {
  const covers = (one: Range, other: Range): boolean => one.start <= other.start && other.end <= one.end;
  const [own, owner] = [rangeOf(site.node), rangeOf(ownerOf(site)!.node)];
  const around = traced.filter((one) => covers(one, own) && covers(owner, one));
  const [innermost] = around.sort((a, b) => a.end - a.start - (b.end - b.start));
  if (innermost !== undefined) return hits.has(innermost.id);
  return traced.some((one) => covers(owner, one) && hits.has(one.id));
}

type Range = Pick<TracedStatement, 'start' | 'end'>;

function rangeOf(node: Node): Range {
  return { start: startOf(node), end: endOf(node) };
}
