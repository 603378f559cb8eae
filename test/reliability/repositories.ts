import { KINDS } from './repositories/all.ts';
import { inTurn } from './repositories/in-turn.ts';
import type { Kind } from './repositories/kind.ts';
import { tryKind, type Tried } from './repositories/try-kind.ts';
import type { Row, Suite } from './suite.ts';

/** Every kind of repository works, or is refused with the remedy; and nothing of it changes that was not to. */
export const repositoriesSuite: Suite = {
  name: 'repositories',
  async run({ full, onProgress }) {
    const rows: Row[] = [];
    for (const [what, kinds] of Object.entries(KINDS)) {
      onProgress(what);
      const wanted = kinds.filter(({ fullOnly }) => full || fullOnly !== true);
      rows.push(rowOf(`repositories: ${what}`, await inTurn(wanted, (kind: Kind) => tryKind(kind))));
    }
    return rows;
  },
};

/** What this machine cannot make is not counted, and told. */
export function rowOf(what: string, tried: readonly Tried[]): Row {
  const made = tried.filter(({ notHere }) => notHere === undefined);
  const failed = made.filter(({ problems }) => problems.length > 0);
  return {
    what,
    tried: made.length,
    held: made.length - failed.length,
    gaps: [
      ...failed.map(({ name, problems }) => `${name}: ${problems.join('; ')}`),
      ...tried.flatMap(({ name, notHere }) =>
        notHere === undefined ? [] : [`not tried here: ${name} (${notHere})`],
      ),
    ],
  };
}
