import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Usage } from '../../schema/generated.ts';
import type { ClientSettings, ConversationListener } from './client-settings.ts';
import { ConversationEnd } from './conversation-end.ts';
import { refusalFailure, type TryFailure } from './failures.ts';
import { IgnoredSettings } from './ignored-settings.ts';
import { modelAddress } from './model-address.ts';
import { priceOf } from './prices.ts';
import { openModel, providerOptionsWith } from './providers.ts';
import type { PlayedCall, Player } from './player.ts';
import type { Channel } from './recording.ts';
import { redactedPrompt } from './redacted-prompt.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { plural } from '../../platform/text/plural.ts';
import { REDACTED } from '../../platform/redaction/redact.ts';
import { callWithRetries, type CallResult, type OpenModel } from './retrying-model.ts';
import { createBoundedFetch } from './bounded-fetch.ts';

/** The time for a whole reply, in multiples of `timeoutMs`. */
const TOTAL_FACTOR = 5;
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
  /** Models of replayed calls that were warned of. */
  readonly #otherModels = new Set<string>();

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
      if (end.kind === 'budget') throw new ConversationEnd(end);
      const failure = failureIn(end, name);
      // A refusal is one of this request: another client's may be answered.
      if (knownFailure === undefined)
        health.note(name, channel, end.kind === 'failed' ? end.failure : undefined);
      const next = names[this.#current + 1];
      // The refusal of the last model is its answer.
      if (end.kind === 'answered' && (next === undefined || failure === undefined)) {
        const { reply, taken } = end;
        for (const text of this.#ignored.newIn(name, reply)) this.#listener.onWork({ type: 'warning', text });
        failpoint('call.answered', name);
        for (const recorder of recorders)
          recorder.add(channel, { model: opened.name, options, reply, taken });
        await this.#settings.onRecorded?.();
        return reply;
      }
      if (next === undefined) throw new ConversationEnd({ kind: 'failed', failure: failure! });
      this.#listener.onWork({ type: 'model_fallback', from: name, to: next, reason: failure!.message });
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
      model: name,
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
    this.#warnOfOtherModel(played.call.model, player);
    return this.#replay(played, { ...played.call.taken, cost_usd: 0 });
  }

  /** Warns once for each model that the settings do not name. */
  #warnOfOtherModel(recorded: string, { path }: Player): void {
    const { names } = this.#settings;
    if (names.length === 0 || names.includes(recorded) || this.#otherModels.has(recorded)) return;
    this.#otherModels.add(recorded);
    const text = `Some recorded replies in ${path} are those of ${recorded}; this run asks for ${names.join(', ')}.`;
    this.#listener.onWork({ type: 'warning', text });
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

/** The failure of a call that was not answered, or refused by the model or a filter of its provider. */
function failureIn(end: Exclude<CallResult, { kind: 'budget' }>, name: string): TryFailure | undefined {
  if (end.kind === 'failed') return end.failure;
  return end.reply.finishReason.unified === 'content-filter' ? refusalFailure(name) : undefined;
}

function recordingEnded(player: Player, channel: Channel): TryFailure {
  return {
    kind: 'recording',
    message: `${player.path} has ${plural(player.count(channel), 'call')} of the ${channel}, and the loop needs one more.${player.whyIncomplete === undefined ? '' : ` ${player.whyIncomplete}`}`,
    hint: 'Record the run again with --record, or leave --replay out.',
    permanent: true,
    transient: false,
  };
}
