import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { collectStream, type StreamProgress } from '../../../src/agents/llm/collect-stream.ts';

const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};
const END: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
};

function text(id: string, delta: string): LanguageModelV4StreamPart {
  return { type: 'text-delta', id, delta };
}

async function collect(
  parts: readonly LanguageModelV4StreamPart[],
  over: Partial<LanguageModelV4StreamResult> = {},
) {
  const heard: string[] = [];
  const progress: StreamProgress = { chars: 0 };
  const result = await collectStream(
    { stream: ReadableStream.from(parts) as LanguageModelV4StreamResult['stream'], ...over },
    (piece) => heard.push(piece),
    progress,
  ).then(
    (reply) => ({ reply, error: undefined }),
    (error: unknown) => ({ reply: undefined, error }),
  );
  return { ...result, heard, chars: progress.chars };
}

describe('collectStream', () => {
  it('returns the result of a call that does not stream', async () => {
    const timestamp = new Date(0);
    const { reply, heard, chars } = await collect(
      [
        { type: 'stream-start', warnings: [{ type: 'other', message: 'Careful.' }] },
        { type: 'response-metadata', id: 'r1', timestamp, modelId: 'm' },
        { type: 'text-start', id: '1' },
        text('1', 'Hello, '),
        text('1', 'world.'),
        { type: 'text-end', id: '1' },
        { type: 'tool-input-start', id: 'c', toolName: 'read' },
        { type: 'tool-input-delta', id: 'c', delta: '{}' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' },
        { ...END, providerMetadata: { acme: { cost: 1 } } },
      ],
      { request: { body: 'asked' }, response: { headers: { a: 'b' } } },
    );
    expect(reply).toEqual({
      content: [
        { type: 'text', text: 'Hello, world.' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' },
      ],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [{ type: 'other', message: 'Careful.' }],
      providerMetadata: { acme: { cost: 1 } },
      request: { body: 'asked' },
      response: { id: 'r1', timestamp, modelId: 'm', headers: { a: 'b' } },
    });
    expect(heard).toEqual(['Hello, ', 'world.']);
    expect(chars).toBe('Hello, world.{}'.length);
  });

  it('separates interleaved texts and reasoning, in the order of their first parts', async () => {
    const { reply } = await collect([
      { type: 'text-start', id: 'a' },
      { type: 'reasoning-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      text('b', 'B1'),
      { type: 'reasoning-delta', id: 'a', delta: 'R1' },
      text('a', 'A1'),
      { type: 'reasoning-delta', id: 'a', delta: 'R2' },
      text('b', 'B2'),
      END,
    ]);
    expect(reply!.content).toEqual([
      { type: 'text', text: 'A1' },
      { type: 'reasoning', text: 'R1R2' },
      { type: 'text', text: 'B1B2' },
    ]);
  });

  it('starts a new text when an id is reused', async () => {
    const { reply } = await collect([
      { type: 'text-start', id: '1' },
      text('1', 'one'),
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' },
      { type: 'text-start', id: '1' },
      text('1', 'two'),
      END,
    ]);
    expect(reply!.content.map((part) => ('text' in part ? part.text : part.type))).toEqual([
      'one',
      'tool-call',
      'two',
    ]);
  });

  it('accepts deltas without a start part', async () => {
    const { reply } = await collect([text('1', 'one'), text('1', ' two'), END]);
    expect(reply!.content).toEqual([{ type: 'text', text: 'one two' }]);
  });

  it('keeps the latest metadata of a part, such as the signature of reasoning', async () => {
    const first = { acme: { itemId: 'i' } };
    const last = { acme: { itemId: 'i', signature: 's' } };
    const { reply } = await collect([
      { type: 'reasoning-start', id: '1', providerMetadata: first },
      { type: 'reasoning-delta', id: '1', delta: 'Hm.' },
      { type: 'reasoning-delta', id: '1', delta: '', providerMetadata: last },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-start', id: '1', providerMetadata: first },
      END,
    ]);
    expect(reply!.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerMetadata: last },
      { type: 'text', text: '', providerMetadata: first },
    ]);
  });
});

describe('collectStream of an incomplete stream', () => {
  const truncated = expect.objectContaining({ name: 'TruncatedStreamError' }) as unknown;

  it.each<[string, LanguageModelV4StreamPart[]]>([
    ['has no finish part', [text('1', 'Hal')]],
    ['is empty', []],
    ['is interrupted', [text('1', 'Hal'), { ...END, finishReason: { unified: 'other', raw: undefined } }]],
  ])('rejects if it %s', async (_name, parts) => {
    const { reply, error } = await collect(parts);
    expect(reply).toBeUndefined();
    expect(error).toEqual(truncated);
  });

  it('accepts the finish reason "other" with a reason of the provider', async () => {
    const { reply } = await collect([
      text('1', 'All'),
      { ...END, finishReason: { unified: 'other', raw: 'pause' } },
    ]);
    expect(reply!.content).toHaveLength(1);
  });

  it('rejects with the error of the stream after passing on the text before it', async () => {
    const reported = { type: 'overloaded_error', message: 'busy' };
    const { error, heard, chars } = await collect([
      text('1', 'Hal'),
      { type: 'error', error: reported },
      END,
    ]);
    expect(error).toBe(reported);
    expect([heard, chars]).toEqual([['Hal'], 3]);
  });
});
