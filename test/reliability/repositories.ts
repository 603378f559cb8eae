import { mapInParallel } from './in-parallel.ts';
import { KINDS } from './repositories/all.ts';
import { tryKind } from './repositories/try-kind.ts';
import { rowOf } from './row.ts';
import type { Row, Suite } from './suite.ts';

/** Kinds of repositories: each is repaired, or rejected with a remedy, and no other byte of it changes. */
export const repositoriesSuite: Suite = {
  name: 'repositories',
  async run({ full, onProgress }) {
    const rows: Row[] = [];
    for (const [topic, kinds] of Object.entries(KINDS)) {
      onProgress(topic);
      const selected = kinds.filter(({ fullOnly }) => full || fullOnly !== true);
      rows.push(rowOf(`repositories: ${topic}`, await mapInParallel(selected, (kind) => tryKind(kind))));
    }
    return rows;
  },
};
