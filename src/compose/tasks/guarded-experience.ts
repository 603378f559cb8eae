import type { Experience } from '../../ports.ts';
import type { Company } from './company.ts';

/** Long-term memory that several loops of this process share: its files are read and written by one at a time. */
export function guardedExperience(experience: Experience, { alone }: Pick<Company, 'alone'>): Experience {
  return {
    recall: (situation) => alone(() => experience.recall(situation)),
    learn: (outcome) => alone(() => experience.learn(outcome)),
    conclude: (end) => alone(() => experience.conclude(end)),
    get spent() {
      return experience.spent;
    },
  };
}
