import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import { runRalph } from '../datasets/child-run.ts';
import { acceptedEdits, triedEdits } from '../datasets/repair-run.ts';
import { addTest, finishBug, makeRepository, sourcePath, type Bug, type BugSeries } from './repository.ts';

/** With memory of earlier repairs in the same repository, or without. */
export type Arm = 'on' | 'off';

/** Result of one bug in one arm. */
export interface BugRun {
  readonly module: string;
  readonly verified: boolean;
  /** Number of candidates tried. */
  readonly tried: number;
  /**
   * Position of the accepted edit in the order of trials, 1-based; undefined without one. Unlike `tried`, it does not depend
   * on the size of the batches.
   */
  readonly place?: number;
  /** Signatures of the accepted edits. */
  readonly edits: readonly string[];
  /** Whether the repaired module equals the reference character for character; undefined without a reference. */
  readonly exact?: boolean;
}

const BUDGET_MS = 300_000;
/** Nothing is withheld at random, so that every bug of the first arm has memory. */
const FLAGS = { on: ['--withhold-one-in', '0'], off: ['--no-memory'] } as const satisfies Record<
  Arm,
  readonly string[]
>;

/** Runs `ralph run` on the bugs of a series one after another, with one attempt each. */
export async function runSeries(
  series: BugSeries,
  arm: Arm,
  onRun: (run: BugRun) => void,
): Promise<BugRun[]> {
  const folder = makeTemporaryFolder('bench-memory');
  const [root, temporaryDir] = [join(folder, 'repository'), join(folder, 'temporary')];
  try {
    for (const path of [root, temporaryDir]) mkdirSync(path);
    makeRepository(root, series);
    const runs: BugRun[] = [];
    for (const bug of series.bugs) {
      const run = await repair(bug, { root, temporaryDir, arm });
      onRun(run);
      runs.push(run);
    }
    return runs;
  } finally {
    removeTemporaryFolder(folder);
  }
}

async function repair(
  bug: Bug,
  { root, temporaryDir, arm }: { root: string; temporaryDir: string; arm: Arm },
): Promise<BugRun> {
  addTest(root, bug);
  const bounds = { budgetMs: BUDGET_MS, signal: new AbortController().signal, temporaryDir };
  const run = await runRalph(root, bounds, ['--max-iterations', '1', ...FLAGS[arm]]);
  finishBug(root, bug, run.verified);
  const text = readFileSync(join(root, sourcePath(bug.module)), 'utf8');
  return {
    module: bug.module,
    verified: run.verified,
    tried: triedEdits(run),
    place: placeIn(run.trajectories.at(-1)?.rationale ?? ''),
    edits: acceptedEdits(run),
    exact: bug.reference === undefined ? undefined : text === bug.reference,
  };
}

function placeIn(rationale: string): number | undefined {
  const place = /^It was number (\d+) in the order of trials\.$/m.exec(rationale)?.[1];
  return place === undefined ? undefined : Number(place);
}
