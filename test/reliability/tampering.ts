/** The attack list of the verdict, and honest work beside it, each by an actor of its own through the real loop. */
import { CATALOGUE, TRICKS } from './tampering/catalogue.ts';
import type { Case } from './tampering/case.ts';
import type { GroundName } from './tampering/grounds.ts';
import { objectionTo } from './tampering/held.ts';
import { HONEST_CASES } from './tampering/honest/index.ts';
import { runCase } from './tampering/run-case.ts';
import type { Row, Suite, SuiteOptions } from './suite.ts';

/** At a time: each has a runner of its own. */
const WORKERS = 2;

interface Trial {
  readonly it: Case;
  readonly ground: GroundName;
}

/** Every trick on every runner where it applies; reduced, each number of the list once. */
export const tamperingSuite: Suite = {
  name: 'tampering',
  async run(options) {
    const tricks = options.full ? onEveryGround(TRICKS) : oncePerNumber();
    const honest = options.full ? onEveryGround(HONEST_CASES) : HONEST_CASES.filter(isQuick).map(onFirst);
    const numbers = new Set(TRICKS.map(({ number }) => number)).size;
    return [
      await rowOf(`${numbers} tricks of the attack list: none is accepted`, tricks, options),
      await rowOf('honest patches: none is refused or accused', honest, options),
    ];
  },
};

async function rowOf(what: string, trials: readonly Trial[], { onProgress }: SuiteOptions): Promise<Row> {
  const gaps: string[] = [];
  const queue = [...trials];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { it, ground } = next;
      const name = `${it.number === 0 ? 'honest' : it.number} ${it.name} (${ground})`;
      onProgress(name);
      const objection = objectionTo(it, await runCase(it, ground));
      if (objection !== undefined) gaps.push(`${name}: ${objection}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return { what, tried: trials.length, held: trials.length - gaps.length, gaps };
}

function onEveryGround(cases: readonly Case[]): Trial[] {
  return cases.flatMap((it) => it.on.map((ground) => ({ it, ground })));
}

function onFirst(it: Case): Trial {
  return { it, ground: it.on[0]! };
}

function oncePerNumber(): Trial[] {
  return [...Map.groupBy(TRICKS, ({ number }) => number).values()].map(([first]) => onFirst(first!));
}

/** The type checker takes seconds a case. */
function isQuick({ on }: Case): boolean {
  return on[0] !== 'tsc';
}

/** Numbers of the list without any case. */
export function missingNumbers(): number[] {
  const present = new Set(CATALOGUE.map(({ number }) => number));
  return Array.from({ length: 41 }, (_, index) => index + 1).filter((number) => !present.has(number));
}
