import type { Conversation, ModelClient, Reply } from '../../src/agents/llm/client.ts';

/** A text that the model ends with, parts of another reply, or what is thrown. */
export type ScriptedReply =
  string | Partial<Reply> | Error | ((conversation: Conversation) => Partial<Reply>);

export interface ScriptedModel extends ModelClient {
  /** What it was asked, in order. */
  readonly asked: Conversation[];
}

/** What each reply of a scripted model takes, where the script does not say. */
export const SCRIPTED_USAGE = {
  input_tokens: 1000,
  output_tokens: 100,
  cached_input_tokens: 0,
  cost_usd: 0.25,
};

/** A model that answers by its script, call by call; a call that the script does not have throws. */
export function scriptedModel(script: readonly ScriptedReply[], name = 'scripted/model'): ScriptedModel {
  const asked: Conversation[] = [];
  return {
    name,
    asked,
    converse(conversation) {
      const reply = script[asked.length];
      asked.push(conversation);
      if (reply === undefined) return Promise.reject(new Error(`The script has no reply ${asked.length}.`));
      if (reply instanceof Error) return Promise.reject(reply);
      const parts =
        typeof reply === 'function'
          ? reply(conversation)
          : typeof reply === 'string'
            ? { text: reply }
            : reply;
      return Promise.resolve({ ...ENDED, ...parts });
    },
  };
}

const ENDED: Reply = { text: '', ending: 'stopped', detail: '', steps: 1, usage: SCRIPTED_USAGE };
