/** A process that is aborted during a long wait for a retry, prints the ending, and exits if nothing keeps it running. */
import { createModelClient } from '../../../src/agents/llm/create-client.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';
import { Ledger } from '../../../src/agents/llm/ledger.ts';

const caller = new AbortController();
const client = createModelClient({
  channel: 'actor',
  names: ['openai-compatible/m'],
  baseUrl: process.argv[2],
  stream: true,
  timeoutMs: 600_000,
  maxDelayMs: 600_000,
  maxOutputTokens: 1000,
  prices: {},
  env: {},
  folders: [],
  health: new ModelHealth(),
  ledger: new Ledger({}),
  recorders: [],
  player: undefined,
  answeredBefore: undefined,
});
const reply = await client.converse({
  system: 's',
  prompt: 'p',
  maxSteps: 3,
  signal: caller.signal,
  onWork({ type }) {
    if (type === 'model_retry') setImmediate(() => caller.abort());
  },
});
process.stdout.write(reply.ending);
