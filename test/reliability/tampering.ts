import { mapInParallel } from './in-parallel.ts';
import { rowOf, type Trial } from './row.ts';
import { sampleOf } from './sample.ts';
import type { Suite, SuiteOptions } from './suite.ts';
import { ATTACKS, CATALOGUE } from './tampering/catalogue.ts';
import type { Case } from './tampering/case.ts';
import { HONEST_CASES } from './tampering/honest/index.ts';
import { objectionTo } from './tampering/objection.ts';
import type { ProjectName } from './tampering/projects.ts';
import { runCase } from './tampering/run-case.ts';

const REDUCED_STEP = 3;

/** One case on one sample project. */
interface CaseTrial {
  readonly it: Case;
  readonly project: ProjectName;
}

/**
 * Every attack on the verdict, and honest work, each by an actor of its own through the real loop. The full run tries each
 * case on all of its projects, the reduced one a third of the numbers of the list and of the honest work, each once.
 */
export const tamperingSuite: Suite = {
  name: 'tampering',
  async run(options) {
    const attacks = options.full
      ? onEveryProject(ATTACKS)
      : sampleOf(oncePerNumber(), REDUCED_STEP, options.seed);
    const honest = options.full
      ? onEveryProject(HONEST_CASES)
      : sampleOf(HONEST_CASES.filter(isQuick), REDUCED_STEP, options.seed).map(onFirstProject);
    const numbers = new Set(attacks.map(({ it }) => it.number)).size;
    return [
      rowOf(`${numbers} kinds of tampering: none is accepted`, await tryCases(attacks, options)),
      rowOf('honest patches: none is rejected or reported as tampering', await tryCases(honest, options)),
    ];
  },
};

/** Numbers of the attack list without a case. */
export function missingNumbers(): number[] {
  const present = new Set(CATALOGUE.map(({ number }) => number));
  return Array.from({ length: 45 }, (_, index) => index + 1).filter((number) => !present.has(number));
}

function tryCases(trials: readonly CaseTrial[], { onProgress }: SuiteOptions): Promise<Trial[]> {
  return mapInParallel(trials, async ({ it, project }) => {
    const name = `${it.number === 0 ? 'honest' : it.number} ${it.name} (${project})`;
    onProgress(name);
    const objection = objectionTo(it, await runCase(it, project));
    return { name, problems: objection === undefined ? [] : [objection] };
  });
}

function onEveryProject(cases: readonly Case[]): CaseTrial[] {
  return cases.flatMap((it) => it.on.map((project) => ({ it, project })));
}

function onFirstProject(it: Case): CaseTrial {
  return { it, project: it.on[0]! };
}

function oncePerNumber(): CaseTrial[] {
  return [...Map.groupBy(ATTACKS, ({ number }) => number).values()].map(([first]) => onFirstProject(first!));
}

/** The type checker takes seconds for each case. */
function isQuick({ on }: Case): boolean {
  return on[0] !== 'tsc';
}
