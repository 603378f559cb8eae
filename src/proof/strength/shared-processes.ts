import { findExecuted } from './executed-lines.ts';
import { catchFast } from './fast-mutants.ts';
import type { ChangedSource } from './changed-source.ts';
import { proposeMutants, type Mutant } from './mutants.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { limitByDuration, notices, noticesEdits, type Runs } from './tried-run.ts';

const MAX_MUTANTS = 40;

/** Mutants and blocks that are known to be noticed, and the lines that no test runs. */
export interface SharedWork {
  readonly mutants: readonly Mutant[];
  readonly blocks: readonly RevertedBlock[];
  readonly caught: ReadonlySet<Mutant | RevertedBlock>;
  /** The one that no test notices in a process of its own, if that is known. */
  readonly missed?: Mutant | RevertedBlock | undefined;
  readonly unexecuted: ReadonlyMap<string, readonly number[]>;
}

/** A change, and its parts that may be put back. */
export interface SharedChange {
  readonly sources: readonly ChangedSource[];
  readonly blocks: readonly RevertedBlock[];
}

/**
 * The result of shared processes, which run in the time of `fast`; why there is none if the covering tests do not pass by
 * themselves: `over` if the time ended. A caught mutant shows that its line runs, and a shared process compares with a run without
 * mutants: no other run is needed if each line has one and at most one mutant is left, which no test notices.
 */
export async function shareProcesses(
  runs: Runs,
  fast: Runs,
  { sources, blocks }: SharedChange,
): Promise<SharedWork | 'over' | 'red'> {
  const limit = runs.request.onlyBlocks === true ? 0 : MAX_MUTANTS;
  const mutants = proposeMutants(sources, { limit, unexecuted: new Map() });
  runs.request.onProgress(`${mutants.length} mutants of the change are tried`);
  // Where the time is short, what must be needed matters more than mutants do.
  const running = blocks.filter(({ isType }) => isType !== true);
  const caught = await catchFast<Mutant | RevertedBlock>(fast, [...running, ...mutants]);
  const left = [...mutants, ...running].filter((it) => !caught.has(it));
  if (left.length <= 1 && sources.every((source) => isHeld(source, caught))) {
    const [last] = left;
    const work = { mutants, blocks, caught, unexecuted: new Map() };
    if (last === undefined) return work;
    // Tests that pass with it pass by themselves as well.
    limitByDuration(runs);
    const noticed = await noticesEdits(runs, last.source, last.candidate.edits);
    if (noticed !== 'yes') return noticed === 'no' ? { ...work, missed: last } : work;
    runs.limits.clear();
    caught.add(last);
  }
  const { noticed, unexecuted } = await findExecuted(runs, sources);
  if (noticed !== 'no') runs.limits.clear();
  if (noticed !== 'no') {
    const again = await notices(runs, new Map());
    if (again !== 'no') return again === 'over' ? 'over' : 'red';
  }
  if (unexecuted.size === 0) return { mutants, blocks, caught, unexecuted };
  const known = new Map(mutants.map((mutant) => [mutant.candidate.signature, mutant]));
  const executed = proposeMutants(sources, { limit, unexecuted }).map(
    (mutant) => known.get(mutant.candidate.signature) ?? mutant,
  );
  const fresh = executed.filter((mutant) => !mutants.includes(mutant));
  const more = fresh.length === 0 ? [] : await catchFast<Mutant>(fast, fresh);
  return { mutants: executed, blocks, caught: new Set([...caught, ...more]), unexecuted };
}

/** Whether each changed line has a caught mutant, or is a changed block that is missed if it is put back. */
function isHeld({ file, codeLines }: ChangedSource, caught: ReadonlySet<Mutant | RevertedBlock>): boolean {
  const held = [...caught].flatMap((it): { file: string; line: number }[] => {
    if (!('block' in it)) return [it];
    return it.block.lines === 1 ? [it.block] : [];
  });
  return codeLines.every((line) => held.some((it) => it.file === file && it.line === line));
}
