import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import type { WorkEvent } from '../../events.ts';
import type { Usage } from '../../schema/generated.ts';
import { collectStream, TruncatedStreamError, type StreamProgress } from './collect-stream.ts';
import { failureOf, replyFailure, type TryFailure } from './failures.ts';
import type { Ledger } from './ledger.ts';
import { usageOf, type CallTokens, type PriceOf } from './prices.ts';
import { waitBefore } from './retry.ts';

/** A model of the list, opened. */
export interface OpenModel {
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly price: PriceOf;
}

export interface TryContext {
  readonly stream: boolean;
  readonly ledger: Ledger;
  /** Tries of one call at most. */
  readonly tries: number;
  /** The longest wait before a try. */
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  readonly onWork: (event: WorkEvent) => void;
  /** Gets what each try took, answered or not. */
  readonly onUsage: (usage: Usage) => void;
}

/** Why a call was not answered. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly reply: LanguageModelV4GenerateResult; readonly taken: Usage }
  | { readonly kind: 'budget'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: TryFailure };

/**
 * Asks one model until it answers, its tries are used up, or the budget has no room for another. Every try that
 * reached the model is counted. Rejects only where the signal was aborted.
 */
export async function askWithRetries(
  { name, model, price }: OpenModel,
  options: LanguageModelV4CallOptions,
  context: TryContext,
): Promise<CallEnd> {
  const { ledger, onWork, tries, maxDelayMs } = context;
  const requestChars = JSON.stringify([options.prompt, options.tools]).length;
  for (let attempt = 1; ; attempt++) {
    const permission = ledger.permit({ requestChars, maxOutputTokens: context.maxOutputTokens, price });
    if (!permission.allowed) return { kind: 'budget', reason: permission.reason };
    const started = performance.now();
    const progress: StreamProgress = { chars: 0 };
    const outcome = await ask(
      model,
      { ...options, maxOutputTokens: permission.maxOutputTokens },
      context,
      progress,
    ).then(
      (reply) => ({ reply, failure: uselessReply(reply, name) }),
      (error: unknown) => ({ reply: undefined, failure: tryFailure(error, name) }),
    );
    options.abortSignal?.throwIfAborted();
    const durationMs = Math.round(performance.now() - started);
    const tokens = tokensOf(outcome.reply, { ...permission, ...progress });
    const usage = usageOf(tokens, price);
    ledger.add(usage, { requestChars, durationMs });
    context.onUsage(usage);
    const { reply, failure } = outcome;
    if (reply !== undefined) onWork({ type: 'model_called', model: name, usage, durationMs });
    if (failure === undefined) return { kind: 'answered', reply: reply!, taken: usage };
    if (!failure.transient || attempt >= tries) return { kind: 'failed', failure };
    const delayMs = waitBefore(attempt + 1, failure.retryAfterMs, maxDelayMs);
    onWork({
      ...{ type: 'model_retry', model: name, attempt, delayMs, reason: failure.message },
      ...(failure.statusCode !== undefined && { statusCode: failure.statusCode }),
    });
    await sleep(delayMs, options.abortSignal);
  }

  function ask(
    asked: LanguageModelV4,
    call: LanguageModelV4CallOptions,
    { stream }: TryContext,
    progress: StreamProgress,
  ): Promise<LanguageModelV4GenerateResult> {
    if (!stream) return Promise.resolve(asked.doGenerate(call));
    const tell = (text: string): void => onWork({ type: 'model_text', model: name, text });
    return Promise.resolve(asked.doStream(call)).then((result) => collectStream(result, tell, progress));
  }
}

function tryFailure(error: unknown, name: string): TryFailure {
  if (error instanceof TruncatedStreamError) return replyFailure(name, error.message);
  return failureOf(error, name);
}

/** What came whole and is of no use: neither words nor a call, a call that was announced and is not there, an error. */
function uselessReply(
  { content, finishReason }: LanguageModelV4GenerateResult,
  name: string,
): TryFailure | undefined {
  const { raw, unified } = finishReason;
  const calls = content.some((part) => part.type === 'tool-call');
  if (unified === 'error')
    return replyFailure(name, `the provider ended the reply with ${raw ?? 'an error'}`);
  if (unified === 'tool-calls' && !calls)
    return replyFailure(name, 'the reply announces a call and has none');
  const says = calls || content.some((part) => part.type === 'text' && part.text.trim() !== '');
  if (says || ['length', 'content-filter'].includes(unified)) return undefined;
  return replyFailure(name, 'the reply was empty');
}

/** As reported; where nothing was, what a reply that had begun has probably taken. */
function tokensOf(
  reply: LanguageModelV4GenerateResult | undefined,
  { inputTokens, chars }: { readonly inputTokens: number; readonly chars: number },
): CallTokens {
  const { inputTokens: input, outputTokens: output } = reply?.usage ?? {};
  if (input?.total !== undefined || output?.total !== undefined) {
    return {
      input: input?.total ?? 0,
      cached: input?.cacheRead ?? 0,
      written: input?.cacheWrite ?? 0,
      output: output?.total ?? 0,
    };
  }
  const begun = reply !== undefined || chars > 0;
  const said = reply === undefined ? chars : JSON.stringify(reply.content).length;
  return { input: begun ? inputTokens : 0, cached: 0, written: 0, output: Math.ceil(said / 4) };
}

/** Rejects with the signal's reason where it is aborted meanwhile. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // Whoever was told of the wait may have had enough.
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
