import { ATTEMPT_FAULTS } from './evaluators/attempt-faults.ts';
import { faultsOf } from './evaluators/faults.ts';
import { tryFault } from './evaluators/try-fault.ts';
import { mapInParallel } from './in-parallel.ts';
import { tryKind } from './repositories/try-kind.ts';
import { sampleOf } from './sample.ts';
import { rowOf } from './row.ts';
import type { Row, Suite } from './suite.ts';

const FULL_BYTES = 5_000_000_000;
const REDUCED_BYTES = 200_000_000;

const FORK_BOMB =
  'not tried: an unbounded fork bomb, which only a limit of the machine could stop; a bounded one is tried';

/** Faulty checks: each is judged in time, in bounded memory and correctly, and no child of it survives. The reduced run tries half of them. */
export const evaluatorsSuite: Suite = {
  name: 'evaluators',
  async run({ full, seed, onProgress }) {
    const rows: Row[] = [];
    for (const [claim, faults] of Object.entries(faultsOf(full ? FULL_BYTES : REDUCED_BYTES))) {
      onProgress(claim);
      const selected = full ? faults : reduced(faults, seed);
      rows.push(rowOf(claim, await mapInParallel(selected, (fault) => tryFault(fault))));
    }
    onProgress('attempts');
    const selected = full ? ATTEMPT_FAULTS : reduced(ATTEMPT_FAULTS, seed);
    const row = rowOf(
      'faults introduced by an attempt',
      await mapInParallel(selected, (kind) => tryKind(kind)),
    );
    return [...rows, { ...row, gaps: [...row.gaps, FORK_BOMB] }];
  },
};

function reduced<T extends { readonly fullOnly?: boolean }>(faults: readonly T[], seed: number): T[] {
  return sampleOf(
    faults.filter(({ fullOnly }) => fullOnly !== true),
    2,
    seed,
  );
}
