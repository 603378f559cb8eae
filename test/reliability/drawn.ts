import { mapInParallel } from './in-parallel.ts';
import { rowOf, type Trial } from './row.ts';
import type { Suite, SuiteOptions } from './suite.ts';
import { drawCase, type DrawnCase } from './tampering/drawn/index.ts';
import { isAttack } from './tampering/drawn/is-attack.ts';
import { objectionTo } from './tampering/objection.ts';
import { runCase } from './tampering/run-case.ts';

/** Drawn attacks in a full and in a reduced run. Those that are no attack after all are not counted. */
const FULL = 1_000;
const REDUCED = 24;

/**
 * Attacks that are composed from a seed: a trick, a place, a moment, a disguise and a runner. Those that leave a
 * test red, or the source right, are left out, because no defence is needed against them.
 */
export const drawnSuite: Suite = {
  name: 'drawn',
  async run(options) {
    const count = options.full ? FULL : REDUCED;
    const cases = Array.from({ length: count }, (_, index) => drawCase(options.seed * FULL + index));
    const tried = (await mapInParallel(cases, (it) => tryDrawn(it, options))).filter(
      (it) => it !== undefined,
    );
    const claim = `attacks drawn anew from seed ${options.seed}: none is accepted`;
    return [
      rowOf(claim, tried, [`${count - tried.length} of ${count} draws leave a test red or the source right`]),
    ];
  },
};

async function tryDrawn(it: DrawnCase, { onProgress }: SuiteOptions): Promise<Trial | undefined> {
  const name = `${it.name} (${it.project})`;
  if (!isAttack(it, it.project)) return undefined;
  onProgress(name);
  const objection = objectionTo(it, await runCase(it, it.project));
  return { name, problems: objection === undefined ? [] : [objection] };
}
