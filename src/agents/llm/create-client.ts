import type { ModelClient } from './client.ts';
import type { ClientSettings } from './client-settings.ts';
import { FallbackModel } from './fallback-model.ts';

/** A client that can load its modules ahead of its first conversation. */
export interface PreparedClient extends ModelClient {
  /** Loads the AI SDK and the provider package. Calls no model and never rejects; `converse` reports the failure. */
  prepare(): Promise<void>;
}

/** Creates a client of the configured models; the AI SDK is loaded by `prepare` or the first conversation. */
export function createModelClient(settings: ClientSettings): PreparedClient {
  const model = new FallbackModel(settings);
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
