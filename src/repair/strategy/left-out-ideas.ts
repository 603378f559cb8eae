import { plural } from '../../platform/text/plural.ts';
import type { EditIdea, EditIdeas } from '../../ports/attempt.ts';

/** Edits of a model that no search of an attempt could try, and why. */
export class LeftOutIdeas {
  /** The number of searches that left an idea out, and the last reason. */
  readonly #found = new Map<EditIdea, { readonly times: number; readonly reason: string }>();
  #searches = 0;

  /** To be called once for each search that is given the ideas; the result is called for each that it leaves out. */
  startSearch(): (idea: EditIdea, reason: string) => void {
    this.#searches++;
    return (idea, reason) => {
      const times = (this.#found.get(idea)?.times ?? 0) + 1;
      this.#found.set(idea, { times, reason });
    };
  }

  /**
   * One sentence on the edits that could not be tried: those that could not be read, and those that every search left out; or on
   * why there are none. Undefined if there is nothing to say.
   */
  describe({ edits, unusable, problem, unanswered }: Omit<EditIdeas, 'usage'>): string | undefined {
    if (problem !== undefined)
      return unanswered === true
        ? `The model gave no answer: ${problem}`
        : `No edit that the model proposed could be tried: ${problem}`;
    const everywhere = [...this.#found.values()].filter(({ times }) => times === this.#searches);
    const reasons = [...unusable, ...everywhere.map(({ reason }) => reason)];
    if (reasons.length === 0) return undefined;
    const all = edits.length + unusable.length;
    const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
      ([reason, { length }]) => `${length} ${reason}`,
    );
    return `Of ${plural(all, 'edit')} that the model proposed, ${reasons.length} could not be tried: ${counts.join(', ')}.`;
  }
}
