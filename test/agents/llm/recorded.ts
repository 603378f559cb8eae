/** Helpers for recordings in a temporary folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import type { AnsweredCall, RecordedCall } from '../../../src/agents/llm/recording.ts';
import { NO_USAGE } from '../../../src/schema/usage.ts';

/** A folder that is removed at the end of its `using` scope. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'ralph-recording-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A request with one user message for each text. */
export function request(...texts: readonly string[]): LanguageModelV4CallOptions {
  return { prompt: texts.map(user) };
}

/** A call answered with a text. */
export function answered(
  answer: string,
  options: LanguageModelV4CallOptions,
  content: LanguageModelV4Content[] = [{ type: 'text', text: answer }],
): AnsweredCall {
  return {
    model: 'acme/m',
    options,
    reply: {
      content,
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 2, text: 2, reasoning: 0 },
      },
      warnings: [],
    },
    taken: { ...NO_USAGE, input_tokens: 5, output_tokens: 2, cost_usd: 0.5 },
  };
}

/** The calls of a file without its header. */
export function callsIn(path: string): RecordedCall[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => JSON.parse(line) as RecordedCall);
}

export function textOf(call: RecordedCall | undefined): string | undefined {
  const part = call?.reply.content[0];
  return part?.type === 'text' ? part.text : undefined;
}
