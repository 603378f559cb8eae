/** Model clients of a wire server, and a conversation for them. */
import type { WorkEvent } from '../../../src/events.ts';
import type { ModelClient, Reply } from '../../../src/agents/llm/client.ts';
import { createModelClient } from '../../../src/agents/llm/create-client.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';
import { Ledger, type Budget } from '../../../src/agents/llm/ledger.ts';
import type { ClientSettings } from '../../../src/agents/llm/client-settings.ts';
import type { WireFormat, WireReply, WireServer } from '../../support/wire/index.ts';

export const FORMATS: readonly WireFormat[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

export const PROVIDER_OF: Readonly<Record<WireFormat, string>> = {
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

export const KEYS = {
  ANTHROPIC_API_KEY: 'key-for-tests',
  OPENAI_API_KEY: 'key-for-tests',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key-for-tests',
};

/** Settings with short waits. */
export function settingsAt(
  server: WireServer,
  format: WireFormat,
  over: Partial<ClientSettings> & { readonly budget?: Budget } = {},
): ClientSettings {
  const { budget, ...rest } = over;
  return {
    channel: 'actor',
    names: [`${PROVIDER_OF[format]}/wire-model`],
    baseUrl: server.baseUrl(format),
    stream: true,
    timeoutMs: 20_000,
    maxDelayMs: 5,
    maxOutputTokens: 1000,
    prices: {},
    env: KEYS,
    folders: [process.cwd()],
    health: new ModelHealth(),
    ledger: new Ledger(budget ?? {}),
    recorders: [],
    player: undefined,
    answeredBefore: undefined,
    ...rest,
  };
}

export function clientAt(...args: Parameters<typeof settingsAt>): ModelClient {
  return createModelClient(settingsAt(...args));
}

/** Three replies: two tool calls and a final text. */
export const TALK: readonly WireReply[] = [
  { text: 'First.', toolCalls: [{ name: 'note', input: { text: 'one' } }] },
  { toolCalls: [{ name: 'note', input: { text: 'two' } }] },
  { text: 'That is all.' },
];

export interface Held {
  readonly reply: Reply;
  readonly events: WorkEvent[];
  /** The inputs of the tool. */
  readonly notes: string[];
}

/** Holds the conversation scripted by TALK. */
export async function hold(client: ModelClient, signal = new AbortController().signal): Promise<Held> {
  const notes: string[] = [];
  const events: WorkEvent[] = [];
  const reply = await client.converse({
    system: 'You take notes.',
    prompt: 'Begin.',
    maxSteps: 8,
    signal,
    tools: {
      note: {
        description: 'Takes a note.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        run({ text }: { text: string }) {
          notes.push(text);
          return Promise.resolve(`noted ${text}`);
        },
      },
    },
    onWork: (event) => events.push(event),
  });
  return { reply, events, notes };
}
