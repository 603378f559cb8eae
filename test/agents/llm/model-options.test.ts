import { describe, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/events.ts';
import type { ClientSettings } from '../../../src/agents/llm/client-settings.ts';
import type { WireFormat } from '../../support/wire/index.ts';
import { serve } from '../../support/wire/serve.ts';
import { clientAt, hold, PROVIDER_OF, TALK } from './client-at.ts';

type Given = Partial<ClientSettings>;

/** The body of the first request of a conversation with these settings, and the warnings. */
async function sent(format: WireFormat, given: Given) {
  const server = await serve(TALK);
  const { reply, events } = await hold(clientAt(server, format, given));
  expect(reply.ending).toBe('stopped');
  const warnings = (events as readonly WorkEvent[]).flatMap((it) => (it.type === 'warning' ? [it.text] : []));
  return { body: server.requests[0]!.json, warnings };
}

/** A model that reasons, as the provider package knows it, and what it is sent for `--reasoning high`. */
const HIGH: readonly (readonly [WireFormat, model: string, expected: object])[] = [
  ['openai-chat', 'any-model', { reasoning_effort: 'high' }],
  ['openai-responses', 'gpt-5', { reasoning: { effort: 'high' } }],
  ['anthropic', 'claude-opus-4-6', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  [
    'gemini',
    'gemini-3-pro-preview',
    { generationConfig: expect.objectContaining({ thinkingConfig: { thinkingLevel: 'high' } }) },
  ],
];

describe('the reasoning setting', () => {
  it.each(HIGH)('is sent in the words of %s', async (format, model, expected) => {
    const names = [`${PROVIDER_OF[format]}/${model}`];
    const { body } = await sent(format, { names, reasoning: 'high' });
    expect(body).toMatchObject(expected);
    const { body: plain } = await sent(format, { names });
    expect(plain).not.toMatchObject(expected);
  });
});

describe('the temperature', () => {
  it.each<readonly [WireFormat, object]>([
    ['openai-chat', { temperature: 0.25 }],
    ['openai-responses', { temperature: 0.25 }],
    ['anthropic', { temperature: 0.25 }],
    ['gemini', { generationConfig: expect.objectContaining({ temperature: 0.25 }) }],
  ])('is sent to %s', async (format, expected) => {
    const { body, warnings } = await sent(format, { temperature: 0.25 });
    expect(body).toMatchObject(expected);
    expect(warnings).toEqual([]);
    expect(JSON.stringify((await sent(format, {})).body)).not.toContain('"temperature"');
  });

  it('is ignored by a model that reasons, which is said once', async () => {
    const { body, warnings } = await sent('openai-responses', { names: ['openai/gpt-5'], temperature: 1.5 });
    expect(body).not.toHaveProperty('temperature');
    expect(warnings).toEqual(['openai/gpt-5 ignores the setting temperature, which it does not support.']);
  });
});

describe('the options of a provider', () => {
  it.each<readonly [WireFormat, Given['providerOptions'], object]>([
    ['openai-chat', { 'openai-compatible': { user: 'ralph-1' } }, { user: 'ralph-1' }],
    [
      'openai-responses',
      { openai: { user: 'ralph-1' }, anthropic: { effort: 'low' } },
      { user: 'ralph-1', store: false },
    ],
    [
      'anthropic',
      { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
      { thinking: { type: 'enabled', budget_tokens: 2000 }, cache_control: { type: 'ephemeral' } },
    ],
    [
      'gemini',
      { google: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] } },
      { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    ],
  ])('reach %s beside those of ralph', async (format, providerOptions, expected) => {
    expect((await sent(format, { providerOptions })).body).toMatchObject(expected);
  });

  it('that a model does not support are named', async () => {
    const providerOptions = { openai: { serviceTier: 'flex' } };
    const { warnings } = await sent('openai-responses', { providerOptions });
    expect(warnings).toEqual([
      'openai/wire-model ignores the setting serviceTier, which it does not support.',
    ]);
  });

  it('take precedence over those of ralph', async () => {
    const { body } = await sent('openai-responses', { providerOptions: { openai: { store: true } } });
    expect(body).toMatchObject({ store: true });
  });
});
