import { ATTEMPT_FAULTS } from './evaluators/attempt-faults.ts';
import { faultsOf } from './evaluators/faults.ts';
import { tryFault } from './evaluators/try-fault.ts';
import { rowOf } from './repositories.ts';
import { inTurn } from './repositories/in-turn.ts';
import { tryKind } from './repositories/try-kind.ts';
import type { Row, Suite } from './suite.ts';

const FULL_BYTES = 5_000_000_000;
const REDUCED_BYTES = 200_000_000;

const FORK_BOMB =
  'not tried: a fork bomb without end, which only a limit of the machine could stop; a bounded one is';

/** Whatever a check does, it is judged in time, in bounded memory, as what it is, and no child of it lives on. */
export const evaluatorsSuite: Suite = {
  name: 'evaluators',
  async run({ full, onProgress }) {
    const rows: Row[] = [];
    for (const [what, faults] of Object.entries(faultsOf(full ? FULL_BYTES : REDUCED_BYTES))) {
      onProgress(what);
      const wanted = faults.filter(({ fullOnly }) => full || fullOnly !== true);
      rows.push(rowOf(what, await inTurn(wanted, (fault) => tryFault(fault))));
    }
    onProgress('attempts');
    const wanted = ATTEMPT_FAULTS.filter(({ fullOnly }) => full || fullOnly !== true);
    const row = rowOf('faults that come with an attempt', await inTurn(wanted, (kind) => tryKind(kind)));
    return [...rows, { ...row, gaps: [...row.gaps, FORK_BOMB] }];
  },
};
