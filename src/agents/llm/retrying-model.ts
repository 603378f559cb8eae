import { setTimeout } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { WorkEvent } from '../../events.ts';
import type { Usage } from '../../schema/generated.ts';
import { MOST_TOKENS } from '../../schema/usage.ts';
import { collectStream, TruncatedStreamError, type StreamProgress } from './collect-stream.ts';
import { failureOf, replyFailure, type TryFailure } from './failures.ts';
import { PlainReplyError, plainReplyIn } from './kept-replies.ts';
import type { Ledger } from './ledger.ts';
import { usageOf, type CallTokens, type PriceOf } from './prices.ts';
import { waitBefore } from './retry.ts';

/** The same request is not sent a third time behind two empty replies. */
const EMPTY_TRIES = 2;

/** A model whose provider is loaded. */
export interface OpenModel {
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly price: PriceOf;
}

export interface RetryContext {
  readonly stream: boolean;
  readonly ledger: Ledger;
  /** The maximum number of tries of one call. */
  readonly tries: number;
  /** The longest wait before a retry. */
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  readonly onWork: (event: WorkEvent) => void;
  /** Called with the usage of each try, failed or not. */
  readonly onUsage: (usage: Usage) => void;
  readonly onCall?: OnCall | undefined;
}

/**
 * Called before each try with the most that it may take; the try begins when it has resolved. The returned function is called
 * when the usage is known, which it never is of a try that the signal ended.
 */
export type OnCall = (most: Usage) => Promise<() => void>;

/** The result of a call with all its tries. */
export type CallResult =
  | { readonly kind: 'answered'; readonly reply: LanguageModelV4GenerateResult; readonly taken: Usage }
  | { readonly kind: 'budget'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: TryFailure };

/**
 * Calls one model until it answers, all tries have failed, or the budget does not allow another try. The usage of
 * every try is added to the ledger. Rejects only if the signal is aborted, with its reason.
 */
export async function callWithRetries(
  { name, model, price }: OpenModel,
  options: LanguageModelV4CallOptions,
  context: RetryContext,
): Promise<CallResult> {
  const { ledger, onWork, stream: asksForStream, tries, maxDelayMs } = context;
  const { abortSignal: signal } = options;
  const requestChars = JSON.stringify([options.prompt, options.tools]).length;
  for (let attempt = 1; ; attempt++) {
    const plan = { requestChars, maxOutputTokens: context.maxOutputTokens, price };
    const { permission, most, release } = await ledger.hold(plan, signal);
    if (!permission.allowed) return { kind: 'budget', reason: permission.reason };
    const ended = await context.onCall?.(most);
    const started = performance.now();
    const progress: StreamProgress = { chars: 0 };
    const limited = { ...options, maxOutputTokens: permission.maxOutputTokens };
    const outcome = await callOnce(limited, progress).then(
      (reply) => ({ reply, failure: unusableReply(reply, name) }),
      (error: unknown) => ({ reply: undefined, failure: tryFailure(error, name) }),
    );
    release();
    signal?.throwIfAborted();
    ended?.();
    const durationMs = Math.round(performance.now() - started);
    const tokens = tokensOf(outcome.reply, { ...permission, ...progress });
    const usage = usageOf(tokens, price);
    ledger.add(usage, { requestChars, durationMs });
    context.onUsage(usage);
    const { reply, failure } = outcome;
    if (reply !== undefined) onWork({ type: 'model_called', model: name, usage, durationMs });
    if (failure === undefined) return { kind: 'answered', reply: reply!, taken: usage };
    if (!failure.transient || attempt >= Math.min(tries, failure.maxTries ?? tries))
      return { kind: 'failed', failure };
    const delayMs = waitBefore(attempt + 1, failure.retryAfterMs, maxDelayMs);
    onWork({
      type: 'model_retry',
      model: name,
      attempt,
      delayMs,
      reason: failure.message,
      statusCode: failure.statusCode,
    });
    await setTimeout(delayMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }

  async function callOnce(
    call: LanguageModelV4CallOptions,
    progress: StreamProgress,
  ): Promise<LanguageModelV4GenerateResult> {
    if (!asksForStream) return await model.doGenerate(call);
    const onText = (text: string): void => onWork({ type: 'model_text', model: name, text });
    const stream = await streamOf(model, call);
    if (!(stream instanceof PlainReplyError)) return await collectStream(stream, onText, progress);
    // The server does not stream; its reply is there, and the package reads it as it reads every plain one.
    return await model.doGenerate({ ...call, headers: { ...call.headers, ...stream.headers } });
  }
}

/** The stream, or the plain reply of a server that does not stream. */
async function streamOf(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult | PlainReplyError> {
  try {
    return await model.doStream(call);
  } catch (error) {
    const plain = plainReplyIn(error);
    if (plain === undefined) throw error;
    return plain;
  }
}

function tryFailure(error: unknown, name: string): TryFailure {
  if (error instanceof TruncatedStreamError) return replyFailure(name, error.message);
  return failureOf(error, name);
}

/** The failure of a complete reply without text and calls, with a call announced but missing, or ended by an error. */
function unusableReply(
  { content, finishReason }: LanguageModelV4GenerateResult,
  name: string,
): TryFailure | undefined {
  const { raw, unified } = finishReason;
  const calls = content.some((part) => part.type === 'tool-call');
  if (unified === 'error')
    return replyFailure(name, `the provider ended the reply with ${raw ?? 'an error'}`);
  if (unified === 'tool-calls' && !calls)
    return replyFailure(name, 'the reply announces a tool call but has none');
  const hasContent = calls || content.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (hasContent || ['length', 'content-filter'].includes(unified)) return undefined;
  return replyFailure(name, 'the reply was empty', EMPTY_TRIES);
}

/** The reported tokens; each count that is missing or implausible is an estimate, zero if no reply had begun. */
function tokensOf(
  reply: LanguageModelV4GenerateResult | undefined,
  { inputTokens, chars }: { readonly inputTokens: number; readonly chars: number },
): CallTokens {
  const { inputTokens: input, outputTokens: output } = reply?.usage ?? {};
  const begun = reply !== undefined || chars > 0;
  const replyChars = reply === undefined ? chars : JSON.stringify(reply.content).length;
  const isInputKnown = isCount(input?.total);
  return {
    input: isInputKnown ? input!.total! : begun ? inputTokens : 0,
    cached: isInputKnown ? (input?.cacheRead ?? 0) : 0,
    written: isInputKnown ? (input?.cacheWrite ?? 0) : 0,
    output: isCount(output?.total) ? output!.total! : Math.ceil(replyChars / 4),
  };
}

/** A reply without a single token of input or output has no count; a server sends 0 if it does not know. */
function isCount(total: number | undefined): boolean {
  return total !== undefined && total > 0 && total <= MOST_TOKENS;
}
