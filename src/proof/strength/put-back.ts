import type { CheckSettings } from '../../checks/requests.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import type { ChangedLines } from '../../schema/generated.ts';
import { isHeldElsewhere } from './held-elsewhere.ts';
import { isHarmless, isRepeated } from './harmless-blocks.ts';
import type { Mutant } from './mutants.ts';
import type { RevertedBlock } from './reverted-blocks.ts';
import { noticesEdits, type Noticed, type Runs } from './tried-run.ts';

const MAX_SHOWN = 200;

/** Runs alone, of what shared processes leave. */
export interface LeftRuns extends Runs {
  readonly options: CheckSettings;
  /** The one that no test notices in a process of its own, if that is known. */
  readonly missed: Mutant | RevertedBlock | undefined;
}

/** What is known of changed parts after each was taken back. */
export interface TakenBack {
  /** Those that no check needs. */
  readonly unneeded: readonly ChangedLines[];
  /** Number of those of which that is not known, since the time ended. */
  readonly untried: number;
  /** Number of all that must be needed. */
  readonly all: number;
}

/**
 * Changed blocks that must be needed: those that change something which was there before, or act where they stand. Declared types
 * are asked for where a type checker judges them.
 */
export function dueBlocks(request: StrengthRequest, blocks: readonly RevertedBlock[]): RevertedBlock[] {
  const isTyped = request.evaluation.checks.some(({ kind, status }) => kind === 'types' && status === 'pass');
  return blocks.filter((reverted) => {
    if (reverted.isType === true) return isTyped;
    return reverted.added !== undefined || !isHarmless(reverted) || isActing(request, reverted);
  });
}

/** Puts each block back alone unless it is `caught`, as long as the time lasts. Blocks that repeat a needed one may stay. */
export async function putBack(
  runs: LeftRuns,
  blocks: readonly RevertedBlock[],
  caught: ReadonlySet<Mutant | RevertedBlock>,
): Promise<TakenBack> {
  const due = dueBlocks(runs.request, blocks);
  const needed = blocks.filter((block) => caught.has(block));
  const unneeded: RevertedBlock[] = [];
  let untried = 0;
  for (const reverted of due) {
    if (caught.has(reverted) || unneeded.some((it) => isWithin(reverted, it))) continue;
    // Once the time is over, each of the others is only counted.
    let noticed: Noticed = untried > 0 ? 'over' : 'no';
    if (noticed === 'no' && reverted.isType !== true) noticed = await isNoticed(runs, reverted);
    if (noticed === 'no') noticed = await isHeldElsewhere(runs.options, runs, reverted);
    if (noticed === 'over') untried++;
    else (noticed === 'yes' ? needed : unneeded).push(reverted);
  }
  const whole = needed.filter(({ added }) => added === undefined);
  const told = unneeded
    .filter((reverted) => reverted.added !== undefined || !isRepeated(reverted, whole))
    .map(toldOf);
  return { unneeded: told, untried, all: due.length };
}

/** Whether the covering tests notice an edit, in processes of their own. */
export async function isNoticed(runs: LeftRuns, edited: Mutant | RevertedBlock): Promise<Noticed> {
  return runs.missed === edited ? 'no' : noticesEdits(runs, edited.source, edited.candidate.edits);
}

function toldOf({ block, always, ...reverted }: RevertedBlock): ChangedLines {
  const { file, line, lines } = block;
  const removed = reverted.removed?.slice(0, MAX_SHOWN);
  const added = reverted.added?.slice(0, MAX_SHOWN);
  return {
    file,
    line,
    lines,
    ...(removed && { removed }),
    ...(added && { added }),
    ...(always !== undefined && { always }),
  };
}

/** Whether the caller wants a declaration to be needed that needs no test otherwise. */
function isActing(request: StrengthRequest, { source, block }: RevertedBlock): boolean {
  const { file, line, lines } = block;
  return request.isActing?.(file, source.parsed.text, { first: line, last: line + lines - 1 }) === true;
}

function isWithin({ source, edit }: RevertedBlock, other: RevertedBlock): boolean {
  return source === other.source && other.edit.start <= edit.start && edit.end <= other.edit.end;
}
