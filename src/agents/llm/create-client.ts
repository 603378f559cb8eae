import type { ModelClient } from './client.ts';
import { TalkingModel, type TalkSettings } from './talking-model.ts';

/** A client that can be made ready for its first conversation while something else is waited for. */
export interface PreparedClient extends ModelClient {
  /** Loads what talks to the model. Asks nothing of it, and never rejects: what is amiss is told when it is asked. */
  prepare(): Promise<void>;
}

/** A client of the models in the list; the AI SDK loads with the first conversation. */
export function createModelClient(settings: TalkSettings): PreparedClient {
  const model = new TalkingModel(settings);
  return {
    name: model.modelId,
    async prepare() {
      await Promise.allSettled([import('./converse.ts'), model.open()]);
    },
    async converse(conversation) {
      const { converse } = await import('./converse.ts');
      return await converse(model, conversation);
    },
  };
}
