import type { Experience } from '../../ports.ts';
import type { Exclusive } from './sibling-loops.ts';

/** Long-term memory that several loops of this process share: one call at a time. */
export function exclusiveExperience(experience: Experience, exclusive: Exclusive): Experience {
  return {
    withhold: (situation) => exclusive(() => experience.withhold(situation)),
    recall: (situation) => exclusive(() => experience.recall(situation)),
    learn: (outcome) => exclusive(() => experience.learn(outcome)),
    conclude: (end) => exclusive(() => experience.conclude(end)),
    get spent() {
      return experience.spent;
    },
  };
}
