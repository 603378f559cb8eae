import { mapInParallel } from './in-parallel.ts';
import { KINDS } from './repositories/all.ts';
import { tryKind } from './repositories/try-kind.ts';
import { rowOf } from './row.ts';
import { sampleOf } from './sample.ts';
import type { Row, Suite } from './suite.ts';

/** Topics of kinds in which the tests behave in another way. */
const ABOUT_TESTS = ['packages and package managers', 'environment variables, many and large files'];

/**
 * Kinds of repositories: each is repaired, or rejected with a remedy, and no other byte of it changes. The reduced run tries one
 * kind of three, and judges those that are not about tests by the text of the repair, because the proofs take most of the time.
 */
export const repositoriesSuite: Suite = {
  name: 'repositories',
  async run({ full, seed, onProgress }) {
    const rows: Row[] = [];
    for (const [topic, kinds] of Object.entries(KINDS)) {
      onProgress(topic);
      const selected = full
        ? kinds
        : sampleOf(
            kinds.filter(({ fullOnly }) => fullOnly !== true),
            3,
            seed,
          );
      const isQuick = !full && !ABOUT_TESTS.includes(topic);
      const tried = await mapInParallel(selected, (kind) => tryKind(kind, { isQuick }));
      rows.push(rowOf(`repositories: ${topic}`, tried));
    }
    return rows;
  },
};
