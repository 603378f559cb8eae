import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import type { ModelFailureKind } from '../../../src/agents/llm/client.ts';
import { failureOf, replyFailure } from '../../../src/agents/llm/failures.ts';
import { WireError } from '../../../src/agents/llm/wire-error.ts';

function apiError(over: Partial<ConstructorParameters<typeof APICallError>[0]>): APICallError {
  return new APICallError({
    message: 'It failed',
    url: 'http://127.0.0.1/v1',
    requestBodyValues: {},
    ...over,
  });
}

function systemError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
}

describe('the kind of failureOf', () => {
  it.each<[number, ModelFailureKind, boolean]>([
    [400, 'request', false],
    [401, 'key', false],
    [402, 'permission', false],
    [403, 'permission', false],
    [404, 'not_found', false],
    [408, 'server', true],
    [409, 'server', true],
    [413, 'request', false],
    [418, 'request', false],
    [422, 'request', false],
    [425, 'server', true],
    [429, 'rate_limit', true],
    [500, 'server', true],
    [503, 'server', true],
    [529, 'server', true],
    [599, 'server', true],
  ])('for status %i is %s, transient: %s', (statusCode, kind, transient) => {
    expect(failureOf(apiError({ statusCode }), 'a/b')).toMatchObject({ kind, statusCode, transient });
  });

  it.each<[string, object, ModelFailureKind]>([
    ['a missing key', { name: 'AI_LoadAPIKeyError', message: 'no key' }, 'key'],
    ['an unknown model', { name: 'AI_NoSuchModelError', message: 'none' }, 'not_found'],
    ['an invalid argument', { name: 'AI_InvalidArgumentError', message: 'bad' }, 'request'],
    ['a reply that is not JSON', { name: 'AI_JSONParseError', message: 'bad' }, 'reply'],
    ['a reply of another shape', { name: 'AI_TypeValidationError', message: 'bad' }, 'reply'],
    ['an empty reply', { name: 'AI_EmptyResponseBodyError', message: 'empty' }, 'reply'],
    ['a refused connection', systemError('ECONNREFUSED'), 'network'],
    ['an unknown host', systemError('ENOTFOUND'), 'network'],
    ['a closed socket', systemError('UND_ERR_SOCKET'), 'network'],
    ['a reset connection', new TypeError('terminated'), 'network'],
    ['a status in a cause', new Error('outer', { cause: { statusCode: 401, message: 'inner' } }), 'key'],
    ['an error event of Anthropic', { type: 'overloaded_error', message: 'Overloaded' }, 'server'],
    ['an error event about the key', { type: 'authentication_error', message: 'bad key' }, 'key'],
    ['an error event about the rate limit', { type: 'rate_limit_error', message: 'slow' }, 'rate_limit'],
    ['an error event about the quota', { code: 'insufficient_quota', message: 'spent' }, 'permission'],
    ['an error event with a status', { code: 403, message: 'no' }, 'permission'],
    ['an error event with a code that is not a status', { code: 20, message: 'hm' }, 'server'],
    [
      'an error event with a type named like a property of Object',
      { type: 'constructor', message: 'hm' },
      'server',
    ],
    ['a message about missing tool support', { message: 'this model does not support tools' }, 'no_tools'],
    ['an error that is only a text', { error: 'It broke.' }, 'server'],
  ])('is right for %s', (_name, error, kind) => {
    expect(failureOf(error, 'a/b').kind).toBe(kind);
  });

  it.each<[string, number, string, ModelFailureKind]>([
    ['a wrong key of Gemini', 400, 'API key not valid. Please pass a valid API key.', 'key'],
    ['an account without credit', 400, 'Your credit balance is too low', 'permission'],
    ['a model without tools', 404, 'No endpoints found that support tool use.', 'no_tools'],
    [
      'function calling that is not enabled',
      400,
      'Function calling is not enabled for this model',
      'no_tools',
    ],
    ['an exhausted plan', 429, 'Check your plan and billing details.', 'permission'],
    ['an overloaded server', 400, 'The model is overloaded', 'server'],
    ['a 500 that mentions a key, which keeps its kind', 500, 'invalid api key of the upstream', 'server'],
    ['a 500 about missing tool support', 500, 'tools param requires --jinja flag', 'no_tools'],
    ['a 401 that mentions tools, which keeps its kind', 401, 'does not support tools', 'key'],
  ])('follows the message if it is more precise than the status: %s', (_name, statusCode, message, kind) => {
    expect(failureOf(apiError({ statusCode, message }), 'a/b').kind).toBe(kind);
  });

  it('is rate_limit if an exhausted plan comes with a retry delay', () => {
    const responseBody =
      '{"error":{"message":"Check your plan and billing","details":[{"retryDelay":"7.5s"}]}}';
    expect(failureOf(apiError({ statusCode: 429, responseBody }), 'a/b')).toMatchObject({
      kind: 'rate_limit',
      transient: true,
      retryAfterMs: 7500,
    });
  });

  it.each([undefined, null, '', 0, Symbol('s'), [], {}, new Error('')])(
    'is server for the unknown value %o',
    (thrown) => {
      expect(failureOf(thrown, 'a/b')).toMatchObject({ kind: 'server', transient: true });
    },
  );

  it('is found although two errors are the cause of each other', () => {
    const a: Error & { cause?: unknown } = new Error('a');
    a.cause = new Error('b', { cause: a });
    expect(failureOf(a, 'a/b').kind).toBe('server');
  });
});

describe('the message of failureOf', () => {
  it('names the provider for a server that speaks another format than that of openai/…', () => {
    const sdk = new Error(
      'Received a Chat Completions stream while using the OpenAI Responses API. Use openai.chat()',
    );
    const hint = 'For a server that speaks Chat Completions, use --model openai-compatible/m';
    expect(failureOf(sdk, 'openai/m')).toMatchObject({
      message: 'openai/m: the server speaks Chat Completions, and openai/… speaks Responses',
      hint,
      permanent: true,
    });
    const missing = apiError({ statusCode: 404, message: 'no such address' });
    expect(failureOf(missing, 'openai/m').hint).toContain(hint);
    expect(failureOf(missing, 'acme/m').hint).not.toContain('Chat Completions');
  });

  it('has the model, the kind, the status and the message on one line', () => {
    const message = 'no\n  such   thing';
    expect(failureOf(apiError({ statusCode: 404, message }), 'acme/m').message).toBe(
      'acme/m: unknown model or address (HTTP 404): no such thing',
    );
  });

  it('has the cause of "fetch failed"', () => {
    expect(failureOf(systemError('ECONNREFUSED'), 'a/b').message).toContain('connect ECONNREFUSED');
  });

  it('prefers the message of the body to the status text', () => {
    const error = apiError({
      statusCode: 404,
      message: 'Not Found',
      responseBody: '{"error":"No such model"}',
    });
    expect(failureOf(error, 'a/b').message).toMatch(/: No such model$/);
  });

  it('has its secrets redacted', () => {
    const key = `sk-proj-${'a1B2'.repeat(8)}`;
    expect(failureOf(new Error(`bad ${key}`), 'a/b').message).toMatch(/: bad \[redacted\]$/);
    const wire = new WireError(`bad ${key}`, { kind: 'reply', transient: false });
    expect(failureOf(wire, 'a/b').message).toBe('bad [redacted]');
  });
});

describe('a failure', () => {
  it.each<[number, string | undefined]>([
    [401, 'key'],
    [404, '--model'],
    [500, undefined],
    [429, undefined],
  ])('with status %i has the hint %s', (statusCode, hint) => {
    const found = failureOf(apiError({ statusCode }), 'a/b').hint;
    if (hint === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(hint);
  });

  it('has the delay of the Retry-After header', () => {
    const error = apiError({ statusCode: 429, responseHeaders: { 'retry-after': '3' } });
    expect(failureOf(error, 'a/b').retryAfterMs).toBe(3000);
    expect(failureOf(apiError({ statusCode: 429 }), 'a/b')).toHaveProperty('retryAfterMs', undefined);
  });

  it.each([
    [401, true],
    [403, true],
    [404, true],
    [400, false],
    [500, false],
  ])('with status %i is permanent: %s', (statusCode, permanent) => {
    expect(failureOf(apiError({ statusCode }), 'a/b').permanent).toBe(permanent);
  });

  it('of a WireError keeps its kind, message and hint', () => {
    const error = new WireError('Silence.', { kind: 'timeout', transient: true, hint: 'Wait.' });
    expect(failureOf(new Error('outer', { cause: error }), 'a/b')).toEqual({
      kind: 'timeout',
      message: 'Silence.',
      hint: 'Wait.',
      permanent: false,
      transient: true,
    });
  });

  it('of an unusable reply is transient', () => {
    expect(replyFailure('a/b', 'the reply was empty')).toEqual({
      kind: 'reply',
      message: 'a/b: the reply was empty',
      permanent: false,
      transient: true,
    });
  });
});

it('names the variable of a proxy, if Node uses it and no connection could be made', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  const messageWith = (env: Readonly<Record<string, string>>): string => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { message } = failureOf(error, 'a/b');
    vi.unstubAllEnvs();
    return message;
  };
  expect(messageWith({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' })).toMatch(
    /the server or the proxy of .*HTTP_PROXY.* could not be reached/,
  );
  expect(messageWith({ NODE_USE_ENV_PROXY: '', HTTP_PROXY: 'http://127.0.0.1:9' })).not.toContain('proxy of');
});
