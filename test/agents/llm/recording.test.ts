import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { beginRecording, createRecorder, requestHash } from '../../../src/agents/llm/recording.ts';
import { answered, callsIn, request, temporaryFolder, textOf, user } from './recorded.ts';

const HEADER = '{"ralph_recording":1}\n';
const SECRET = `sk-ant-api03-${'a1B2'.repeat(6)}`;

describe('a recording', () => {
  it('starts with a header and is readable only by its owner', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    beginRecording(path);
    expect(readFileSync(path, 'utf8')).toBe(HEADER);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['exists', 'calls.jsonl', 'exists already', 'Name another file'],
    ['is a folder', '.', 'exists already', 'Name another file'],
    ['is in a missing folder', 'no/calls.jsonl', 'cannot be written', 'a folder that exists'],
  ])('is not created if the file %s', (_name, file, message, hint) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'calls.jsonl'), 'mine');
    expect(() => beginRecording(join(folder.path, file))).toThrow(
      expect.objectContaining({
        exitCode: ExitCode.usage,
        message: expect.stringContaining(message) as string,
        hint: expect.stringContaining(hint) as string,
      }),
    );
    expect(readFileSync(join(folder.path, 'calls.jsonl'), 'utf8')).toBe('mine');
  });

  it('is created with its folders by the first call', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'loops', 'one', 'calls.jsonl');
    const recorder = createRecorder(path, () => 3);
    expect(() => statSync(path)).toThrow('ENOENT');
    recorder.add('actor', answered('Hi.', request('Hello.')));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(callsIn(path)).toEqual([
      {
        channel: 'actor',
        model: 'acme/m',
        request: requestHash(request('Hello.')),
        messages_before: 0,
        messages: [user('Hello.')],
        finished_steps: 3,
        reply: {
          content: [{ type: 'text', text: 'Hi.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: answered('', request()).reply.usage,
        },
        taken: { input_tokens: 5, output_tokens: 2, cached_input_tokens: 0, cost_usd: 0.5 },
        sum: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      },
    ]);
  });

  it('stores the number of messages shared with the previous call of the channel', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const recorder = createRecorder(path, () => 0);
    recorder.add('actor', answered('1', request('a')));
    recorder.add('actor', answered('2', request('a', 'b', 'c')));
    recorder.add('reflector', answered('3', request('a', 'b')));
    recorder.add('actor', answered('4', request('a', 'x', 'c')));
    recorder.add('actor', answered('5', request('a')));
    const lengths = callsIn(path).map((call) => `${call.messages_before}+${call.messages.length}`);
    expect(lengths).toEqual(['0+1', '1+2', '0+2', '1+2', '1+0']);
  });

  it('stores the finished steps at the time of the call', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    let steps = 1;
    const recorder = createRecorder(path, () => steps);
    recorder.add('actor', answered('1', request('a')));
    steps = 7;
    recorder.add('actor', answered('2', request('b')));
    expect(callsIn(path).map((call) => call.finished_steps)).toEqual([1, 7]);
  });

  it('has the secrets in requests and answers redacted', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    createRecorder(path, () => 0).add('actor', answered(`Use ${SECRET}!`, request(`It is ${SECRET}.`)));
    expect(readFileSync(path, 'utf8')).not.toContain(SECRET);
    expect(textOf(callsIn(path)[0])).toBe('Use [redacted]!');
  });

  it('remains readable if a secret spans several messages', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    const options = request('-----BEGIN PRIVATE KEY-----', 'and', '-----END PRIVATE KEY-----');
    createRecorder(path, () => 0).add('actor', answered('Well.', options));
    expect(openRecording(path).next('actor', options)).toMatchObject({ same: true });
    expect(callsIn(path)[0]!.messages).toEqual(options.prompt);
  });

  it.each([
    ['part of a line', '{"channel":"actor","mod'],
    ['NUL bytes', '\0\0\0\0'],
  ])('continues after its last complete line if a crash left %s', (_name, torn) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    createRecorder(path, () => 0).add('actor', answered('1', request('a')));
    appendFileSync(path, torn);
    createRecorder(path, () => 0).add('actor', answered('2', request('b')));
    expect(callsIn(path).map(textOf)).toEqual(['1', '2']);
  });

  it.each(['', '{"ralph_rec'])('is started again if a crash left "%s" of its header', (torn) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    writeFileSync(path, torn);
    createRecorder(path, () => 0).add('actor', answered('1', request('a')));
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"ralph_recording":1\}\n\{"channel"/);
    expect(openRecording(path).count('actor')).toBe(1);
  });

  it('keeps the calls of an earlier run', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    createRecorder(path, () => 0).add('actor', answered('1', request('a')));
    createRecorder(path, () => 0).add('actor', answered('2', request('b')));
    expect(callsIn(path).map(textOf)).toEqual(['1', '2']);
  });

  it('throws if it cannot be written', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'calls.jsonl');
    mkdirSync(path);
    expect(() => createRecorder(path, () => 0).add('actor', answered('1', request('a')))).toThrow('EISDIR');
  });
});

describe('requestHash', () => {
  const tool = { type: 'function', name: 'read', inputSchema: { type: 'object' } } as const;

  it('depends only on the prompt and the tools', () => {
    const hash = requestHash({ ...request('a'), tools: [tool] });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(requestHash({ ...request('a'), tools: [tool], maxOutputTokens: 5, temperature: 1 })).toBe(hash);
    expect(requestHash(request('a'))).not.toBe(hash);
    expect(requestHash({ ...request('b'), tools: [tool] })).not.toBe(hash);
  });

  it('is the same for a secret and its redaction', () => {
    expect(requestHash(request(`x ${SECRET}`))).toBe(requestHash(request('x [redacted]')));
  });
});
