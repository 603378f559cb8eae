import { mapInParallel } from './in-parallel.ts';
import { KINDS } from './repositories/all.ts';
import { tryKind } from './repositories/try-kind.ts';
import { rowOf } from './row.ts';
import type { Row, Suite } from './suite.ts';

/** Topics of kinds in which the tests behave in another way. */
const ABOUT_TESTS = ['packages and package managers', 'environment variables, many and large files'];

/**
 * Kinds of repositories: each is repaired, or rejected with a remedy, and no other byte of it changes. The reduced run
 * judges two repairs of three by their text, because the proofs by tests take most of the time.
 */
export const repositoriesSuite: Suite = {
  name: 'repositories',
  async run({ full, seed, onProgress }) {
    const rows: Row[] = [];
    for (const [topic, kinds] of Object.entries(KINDS)) {
      onProgress(topic);
      const selected = kinds.filter(({ fullOnly }) => full || fullOnly !== true);
      const mayBeQuick = !full && !ABOUT_TESTS.includes(topic);
      const trials = selected.map((kind, index) => ({
        kind,
        isQuick: mayBeQuick && index % 3 !== seed % 3,
      }));
      const tried = await mapInParallel(trials, ({ kind, isQuick }) => tryKind(kind, { isQuick }));
      rows.push(rowOf(`repositories: ${topic}`, tried));
    }
    return rows;
  },
};
