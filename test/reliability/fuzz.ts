import { drawCase } from './fuzz/draw-case.ts';
import { makeTemplate, tryFuzzCase } from './fuzz/try-case.ts';
import { tryAll } from './durability/trial.ts';
import { rowOf } from './row.ts';
import type { Suite } from './suite.ts';

const FULL = 1_000;
const REDUCED = 16;

/** Arguments, configurations, stored files and standard input that are drawn from a seed. */
export const fuzzSuite: Suite = {
  name: 'fuzz',
  async run({ full, seed, onProgress }) {
    const count = full ? FULL : REDUCED;
    const cases = Array.from({ length: count }, (_, index) => drawCase(seed * FULL + index));
    const template = await makeTemplate();
    let done = 0;
    try {
      const trials = await tryAll(
        cases,
        2,
        async (it) => {
          const trial = await tryFuzzCase(it, template);
          done++;
          if (trial.problems.length > 0 || done % 50 === 0)
            onProgress(`${done} of ${count}: ${it.name}: ${trial.problems.join('; ')}`);
          return trial;
        },
        ({ name }) => name,
      );
      const claim = `inputs drawn from seed ${seed}: no stack trace, no hang, a documented exit code, the tree untouched`;
      return [rowOf(claim, trials)];
    } finally {
      template.remove();
    }
  },
};
