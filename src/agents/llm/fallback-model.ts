import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { WorkEvent } from '../../events.ts';
import type { Price, Usage } from '../../schema/generated.ts';
import { ConversationEnd } from './conversation-end.ts';
import { replyFailure, type TryFailure } from './failures.ts';
import { IgnoredSettings } from './ignored-settings.ts';
import type { Ledger } from './ledger.ts';
import { modelAddress } from './model-address.ts';
import { priceOf } from './prices.ts';
import { openModel, providerOptionsWith, type ProviderRequest } from './providers.ts';
import type { PlayedCall, Player } from './player.ts';
import type { Channel, Recorder } from './recording.ts';
import { redactedPrompt } from './redacted-prompt.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { plural } from '../../platform/text/plural.ts';
import { REDACTED } from '../../platform/redaction/redact.ts';
import { callWithRetries, type CallResult, type OnCall, type OpenModel } from './retrying-model.ts';
import type { ModelHealth } from './model-health.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

/** The settings for the models of one channel. */
export interface ClientSettings {
  readonly channel: Channel;
  /** `provider/model`: the model, then its fallbacks in order. */
  readonly names: readonly string[];
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  /** The longest silence within one reply; the whole reply may take five times as long. */
  readonly timeoutMs: number;
  /** The longest wait before a retry. */
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  /** Undefined: the model's own default. */
  readonly reasoning?: LanguageModelV4CallOptions['reasoning'];
  /** Undefined: the model's own default. */
  readonly temperature?: number | undefined;
  /** The user's options of the AI SDK's providers, by provider. */
  readonly providerOptions?: Readonly<Record<string, object>>;
  readonly prices: Readonly<Record<string, Price>>;
  readonly env: ProviderRequest['env'];
  /** Absolute folders in which an installed provider package is looked up. */
  readonly folders: readonly string[];
  readonly ledger: Ledger;
  /** Shared by all clients of a loop. */
  readonly health: ModelHealth;
  readonly recorders: readonly Recorder[];
  /** Called after a reply is recorded; the reply is used when it has resolved. */
  readonly onRecorded?: (() => Promise<void>) | undefined;
  readonly onCall?: OnCall | undefined;
  /** Replays recorded calls instead of calling a model; the conversation ends at a call that is not recorded. */
  readonly player: Player | undefined;
  /** The calls that were answered before the loop was interrupted; they are replayed, then the models are called. */
  readonly answeredBefore: Player | undefined;
}

/** The callbacks and the answer's schema of the running conversation. */
export interface ConversationListener {
  readonly onWork: (event: WorkEvent) => void;
  /** Called with the usage of each try, failed or not. */
  readonly onUsage: (usage: Usage) => void;
  readonly answerSchema: object | undefined;
  /** See `Conversation`. */
  readonly onlyIfHealthy?: boolean | undefined;
}

/** The time for a whole reply, in multiples of `timeoutMs`. */
const TOTAL_FACTOR = 5;
const REFUSAL = 'the model refused to answer';
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

/**
 * A model and its fallbacks as one AI SDK model, which also retries, enforces the budget, records and replays.
 * Its calls reject with ConversationEnd, or with the signal's reason.
 */
export class FallbackModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'ralph';
  readonly modelId: string;
  readonly supportedUrls = {};
  /** The number of answered calls of all conversations. */
  answered = 0;
  readonly #settings: ClientSettings;
  #listener: ConversationListener = { onWork: () => {}, onUsage: () => {}, answerSchema: undefined };
  readonly #opened = new Map<string, OpenModel>();
  /** The index of the current model in `names`; never decreases. */
  #current = 0;
  #ignoresAnsweredBefore = false;
  readonly #ignored: IgnoredSettings;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#ignored = new IgnoredSettings(settings);
    this.modelId = settings.names[0] ?? 'recorded';
  }

  /** Loads the provider of the current model. Rejects with RalphError. */
  async open(): Promise<void> {
    const { names, player } = this.#settings;
    if (player === undefined) await this.#open(names[this.#current]!);
  }

  /** Sets the listener of the conversation that begins now. */
  listen(listener: ConversationListener): void {
    this.#listener = listener;
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { player, providerOptions = {}, reasoning, temperature } = this.#settings;
    const { answerSchema: schema } = this.#listener;
    const call: LanguageModelV4CallOptions = {
      ...options,
      prompt: redactedPrompt(options.prompt),
      reasoning,
      temperature,
      providerOptions: providerOptionsWith(providerOptions as SharedV4ProviderOptions),
      responseFormat:
        schema === undefined ? options.responseFormat : { type: 'json', schema, name: 'answer' },
    };
    const before = this.#answeredBefore(options);
    const reply =
      before !== undefined
        ? this.#replay(before, before.call.taken)
        : player === undefined
          ? await this.#callModels(call)
          : this.#replayNext(call, player);
    this.answered++;
    return reply;
  }

  /** A reply with a redacted secret cannot be reused: from there on, every call is made again. */
  #answeredBefore(options: LanguageModelV4CallOptions): PlayedCall | undefined {
    const { answeredBefore, channel } = this.#settings;
    if (this.#ignoresAnsweredBefore) return undefined;
    const played = answeredBefore?.next(channel, options);
    this.#ignoresAnsweredBefore =
      played !== undefined && JSON.stringify(played.call.reply.content).includes(REDACTED);
    return this.#ignoresAnsweredBefore ? undefined : played;
  }

  doStream(): never {
    throw new Error('FallbackModel does not stream: it collects each reply first.');
  }

  async #callModels(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { channel, health, ledger, maxDelayMs, maxOutputTokens, names, onCall, recorders, stream } =
      this.#settings;
    const context = { ledger, maxDelayMs, maxOutputTokens, onCall, stream, ...this.#listener };
    for (;;) {
      const opened = await this.#open(names[this.#current]!);
      const { name } = opened;
      const knownFailure = this.#knownFailure(name);
      failpoint('call.begin', name);
      const end: CallResult =
        knownFailure === undefined
          ? await callWithRetries(opened, options, { ...context, tries: health.triesOf(name) })
          : { kind: 'failed', failure: knownFailure };
      if (end.kind !== 'budget' && knownFailure === undefined)
        health.note(name, channel, end.kind === 'failed' ? end.failure : undefined);
      if (end.kind === 'budget') throw new ConversationEnd(end);
      const next = names[this.#current + 1];
      if (end.kind === 'answered' && (next === undefined || !isRefusal(end.reply))) {
        const { reply, taken } = end;
        for (const text of this.#ignored.newIn(name, reply)) this.#listener.onWork({ type: 'warning', text });
        failpoint('call.answered', name);
        for (const recorder of recorders)
          recorder.add(channel, { model: opened.name, options, reply, taken });
        await this.#settings.onRecorded?.();
        return reply;
      }
      const failure = end.kind === 'failed' ? end.failure : replyFailure(name, REFUSAL);
      if (next === undefined) throw new ConversationEnd({ kind: 'failed', failure });
      this.#listener.onWork({ type: 'model_fallback', from: name, to: next, reason: failure.message });
      this.#current++;
    }
  }

  /** The failure of an earlier call for which the model is not asked now. */
  #knownFailure(name: string): TryFailure | undefined {
    const { channel, health } = this.#settings;
    const known = health.failureOf(name);
    return (
      known ?? (this.#listener.onlyIfHealthy === true ? health.failureOfOthers(name, channel) : undefined)
    );
  }

  async #open(name: string): Promise<OpenModel> {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const { baseUrl, env, folders, prices, timeoutMs } = this.#settings;
    const fetch = createBoundedFetch({
      silenceMs: timeoutMs,
      totalMs: timeoutMs * TOTAL_FACTOR,
      maxBytes: MAX_REPLY_BYTES,
    });
    const [model, price] = await Promise.all([
      openModel({ name, baseUrl, env, fetch, folders }),
      priceOf(name, prices, modelAddress(name, baseUrl, env) !== undefined),
    ]);
    const opened = { name, model, price };
    this.#opened.set(name, opened);
    return opened;
  }

  #replayNext(options: LanguageModelV4CallOptions, player: Player): LanguageModelV4GenerateResult {
    const { channel } = this.#settings;
    const played = player.next(channel, options);
    if (played === undefined)
      throw new ConversationEnd({ kind: 'failed', failure: recordingEnded(player, channel) });
    if (!played.same) {
      const text = `The replay leaves the recorded path: the request of the ${channel} differs from the one in ${player.path} ${played.where}. The next recorded reply is used.`;
      this.#listener.onWork({ type: 'warning', text });
    }
    return this.#replay(played, { ...played.call.taken, cost_usd: 0 });
  }

  #replay({ call: { model, reply } }: PlayedCall, usage: Usage): LanguageModelV4GenerateResult {
    const { onUsage, onWork } = this.#listener;
    for (const part of reply.content) {
      if (part.type === 'text') onWork({ type: 'model_text', model, text: part.text });
    }
    this.#settings.ledger.add(usage, { requestChars: 0, durationMs: 0 });
    onUsage(usage);
    onWork({ type: 'model_called', model, usage, durationMs: 0 });
    return { ...reply, warnings: [] };
  }
}

/** Whether the model, or a filter of its provider, refused the request. */
function isRefusal({ finishReason }: LanguageModelV4GenerateResult): boolean {
  return finishReason.unified === 'content-filter';
}

function recordingEnded(player: Player, channel: Channel): TryFailure {
  return {
    kind: 'recording',
    message: `${player.path} has ${plural(player.count(channel), 'call')} of the ${channel}, and the loop needs one more.`,
    hint: 'Record the run again with --record, or leave --replay out.',
    permanent: true,
    transient: false,
  };
}
