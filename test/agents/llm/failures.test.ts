import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
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

describe('the kind of a failure', () => {
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
  ])('of status %i is %s, and worth another try: %s', (statusCode, kind, transient) => {
    expect(failureOf(apiError({ statusCode }), 'a/b')).toMatchObject({ kind, statusCode, transient });
  });

  it.each<[string, object, ModelFailureKind]>([
    ['a missing key', { name: 'AI_LoadAPIKeyError', message: 'no key' }, 'key'],
    ['an unknown model', { name: 'AI_NoSuchModelError', message: 'none' }, 'not_found'],
    ['an argument that is not taken', { name: 'AI_InvalidArgumentError', message: 'bad' }, 'request'],
    ['a reply that is no JSON', { name: 'AI_JSONParseError', message: 'bad' }, 'reply'],
    ['a reply of another shape', { name: 'AI_TypeValidationError', message: 'bad' }, 'reply'],
    ['an empty reply', { name: 'AI_EmptyResponseBodyError', message: 'empty' }, 'reply'],
    ['a refused connection', systemError('ECONNREFUSED'), 'network'],
    ['an unknown host', systemError('ENOTFOUND'), 'network'],
    ['a socket that was closed', systemError('UND_ERR_SOCKET'), 'network'],
    ['a reply that was hung up on', new TypeError('terminated'), 'network'],
    ['a status in a cause', new Error('outer', { cause: { statusCode: 401, message: 'inner' } }), 'key'],
    ['an error event of Anthropic', { type: 'overloaded_error', message: 'Overloaded' }, 'server'],
    ['one that names the key', { type: 'authentication_error', message: 'bad key' }, 'key'],
    ['one that names the rate', { type: 'rate_limit_error', message: 'slow' }, 'rate_limit'],
    ['one that names the quota', { code: 'insufficient_quota', message: 'spent' }, 'permission'],
    ['one that names a status', { code: 403, message: 'no' }, 'permission'],
    ['one with a number that is no status', { code: 20, message: 'hm' }, 'server'],
    ['one that names what every object has', { type: 'constructor', message: 'hm' }, 'server'],
    [
      'one that only says that it takes no tools',
      { message: 'this model does not support tools' },
      'no_tools',
    ],
    ['a text', { error: 'It broke.' }, 'server'],
  ])('of %s', (_name, error, kind) => {
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
    ['a plan that is used up', 429, 'Check your plan and billing details.', 'permission'],
    ['a server that is overloaded', 400, 'The model is overloaded', 'server'],
    ['a failing server that speaks of a key', 500, 'invalid api key of the upstream', 'server'],
    ['a failing server that takes no tools', 500, 'tools param requires --jinja flag', 'no_tools'],
    ['a key that may not have tools', 401, 'does not support tools', 'key'],
  ])('is what is said rather than the status: %s', (_name, statusCode, message, kind) => {
    expect(failureOf(apiError({ statusCode, message }), 'a/b').kind).toBe(kind);
  });

  it('is the rate where a plan is used up for a minute only', () => {
    const responseBody =
      '{"error":{"message":"Check your plan and billing","details":[{"retryDelay":"7.5s"}]}}';
    expect(failureOf(apiError({ statusCode: 429, responseBody }), 'a/b')).toMatchObject({
      ...{ kind: 'rate_limit', transient: true, retryAfterMs: 7500 },
    });
  });

  it.each([undefined, null, '', 0, Symbol('s'), [], {}, new Error('')])(
    'of %o is some kind too',
    (thrown) => {
      expect(failureOf(thrown, 'a/b')).toMatchObject({ kind: 'server', transient: true });
    },
  );

  it('is found in errors that cause each other', () => {
    const a: Error & { cause?: unknown } = new Error('a');
    a.cause = new Error('b', { cause: a });
    expect(failureOf(a, 'a/b').kind).toBe('server');
  });
});

describe('the message of a failure', () => {
  it('names the model, the kind, the status and what was said, on one line', () => {
    const message = 'no\n  such   thing';
    expect(failureOf(apiError({ statusCode: 404, message }), 'acme/m').message).toBe(
      'acme/m: no such model, or no such address (HTTP 404): no such thing',
    );
  });

  it('says what fetch hides', () => {
    expect(failureOf(systemError('ECONNREFUSED'), 'a/b').message).toContain('connect ECONNREFUSED');
  });

  it('prefers the words of the body to the words of the status', () => {
    const error = apiError({
      statusCode: 404,
      message: 'Not Found',
      responseBody: '{"error":"No such model"}',
    });
    expect(failureOf(error, 'a/b').message).toMatch(/: No such model$/);
  });

  it('has no secrets', () => {
    const key = `sk-proj-${'a1B2'.repeat(8)}`;
    expect(failureOf(new Error(`bad ${key}`), 'a/b').message).toMatch(/: bad \[redacted\]$/);
    const wire = new WireError(`bad ${key}`, { kind: 'reply', transient: false });
    expect(failureOf(wire, 'a/b').message).toBe('bad [redacted]');
  });
});

describe('what a failure says beside', () => {
  it.each<[number, string | undefined]>([
    [401, 'key'],
    [404, '--model'],
    [500, undefined],
    [429, undefined],
  ])('status %i has the hint %s', (statusCode, hint) => {
    const found = failureOf(apiError({ statusCode }), 'a/b').hint;
    if (hint === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(hint);
  });

  it('is how long the server asks to wait', () => {
    const error = apiError({ statusCode: 429, responseHeaders: { 'retry-after': '3' } });
    expect(failureOf(error, 'a/b').retryAfterMs).toBe(3000);
    expect(failureOf(apiError({ statusCode: 429 }), 'a/b')).not.toHaveProperty('retryAfterMs');
  });

  it.each([
    [401, true],
    [403, true],
    [404, true],
    [400, false],
    [500, false],
  ])('is whether status %i lasts: %s', (statusCode, permanent) => {
    expect(failureOf(apiError({ statusCode }), 'a/b').permanent).toBe(permanent);
  });

  it('is what the wire told, word for word', () => {
    const error = new WireError('Silence.', { kind: 'timeout', transient: true, hint: 'Wait.' });
    expect(failureOf(new Error('outer', { cause: error }), 'a/b')).toEqual({
      ...{ kind: 'timeout', message: 'Silence.', hint: 'Wait.', permanent: false, transient: true },
    });
  });

  it('of a useless reply is that another one may be of use', () => {
    expect(replyFailure('a/b', 'the reply was empty')).toEqual({
      ...{ kind: 'reply', message: 'a/b: the reply was empty', permanent: false, transient: true },
    });
  });
});
