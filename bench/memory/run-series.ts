import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRalph } from '../datasets/child-run.ts';
import { acceptedEdits, triedEdits } from '../datasets/repair-run.ts';
import { makeRepository, report, settle, sourcePath, type Bug, type BugSeries } from './repository.ts';

/** Whether ralph may remember what it did in the repository before. */
export type Arm = 'on' | 'off';

/** One bug in one arm. */
export interface BugRun {
  readonly module: string;
  readonly verified: boolean;
  /** Candidates that were tried. */
  readonly tried: number;
  /** Where the accepted edit stood in the order of trials, 1-based; whatever is tried together with it does not count. */
  readonly place?: number;
  /** Signatures of the edits that were left in the tree. */
  readonly edits: readonly string[];
  /** Whether the module is as it should be, to the letter; undefined where that is not known. */
  readonly exact?: boolean;
}

const BUDGET_MS = 300_000;
const FLAGS = { on: [], off: ['--no-memory'] } as const satisfies Record<Arm, readonly string[]>;

/** Lets ralph repair the bugs of a series one after another, each in one attempt, and counts what it tried. */
export async function runSeries(
  series: BugSeries,
  arm: Arm,
  onRun: (run: BugRun) => void,
): Promise<BugRun[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-bench-memory-')));
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
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function repair(
  bug: Bug,
  { root, temporaryDir, arm }: { root: string; temporaryDir: string; arm: Arm },
): Promise<BugRun> {
  report(root, bug);
  const bounds = { budgetMs: BUDGET_MS, signal: new AbortController().signal, temporaryDir };
  const run = await runRalph(root, bounds, ['--max-iterations', '1', ...FLAGS[arm]]);
  settle(root, bug, run.verified);
  const text = readFileSync(join(root, sourcePath(bug.module)), 'utf8');
  const place = placeIn(run.trajectories.at(-1)?.rationale ?? '');
  return {
    ...{ module: bug.module, verified: run.verified, tried: triedEdits(run), edits: acceptedEdits(run) },
    ...(place !== undefined && { place }),
    ...(bug.reference !== undefined && { exact: text === bug.reference }),
  };
}

function placeIn(rationale: string): number | undefined {
  const place = /^It was number (\d+) in the order of trials\.$/m.exec(rationale)?.[1];
  return place === undefined ? undefined : Number(place);
}
