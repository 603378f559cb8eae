import type { ModelClient } from './client.ts';
import { TalkingModel, type TalkSettings } from './talking-model.ts';

/** A client of the models in the list; the AI SDK loads with the first conversation. */
export function createModelClient(settings: TalkSettings): ModelClient {
  const model = new TalkingModel(settings);
  return {
    name: model.modelId,
    async converse(conversation) {
      const { converse } = await import('./converse.ts');
      return await converse(model, conversation);
    },
  };
}
