import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import type { WorkEvent } from '../../events.ts';
import type { Price, Usage } from '../../schema/generated.ts';
import type { TryFailure } from './failures.ts';
import type { Ledger } from './ledger.ts';
import { modelAddress } from './model-address.ts';
import { priceOf } from './prices.ts';
import { openModel, PROVIDER_OPTIONS, type ProviderRequest } from './providers.ts';
import type { PlayedCall, Player } from './player.ts';
import type { Channel, Recorder } from './recording.ts';
import { redactedPrompt } from './redacted-prompt.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { REDACTED } from '../../platform/redaction/redact.ts';
import { askWithRetries, type CallEnd, type OpenModel } from './tried-model.ts';
import type { ModelHealth } from './health.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

/** Everything about how the models of one channel are asked. */
export interface TalkSettings {
  readonly channel: Channel;
  /** `provider/model`, the first asked first. */
  readonly names: readonly string[];
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  /** Silence within one reply; the whole reply may take five times as long. */
  readonly timeoutMs: number;
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  readonly prices: Readonly<Record<string, Price>>;
  readonly env: ProviderRequest['env'];
  /** Absolute folders whose installed provider packages are looked at. */
  readonly folders: readonly string[];
  readonly ledger: Ledger;
  /** What is known of the models, shared by all who ask. */
  readonly health: ModelHealth;
  readonly recorders: readonly Recorder[];
  /** Answers instead of the models; a call that it does not have ends the conversation. */
  readonly player: Player | undefined;
  /** Calls that were answered, and paid, before the loop was interrupted; then the models are asked. */
  readonly answeredBefore: Player | undefined;
}

/** Thrown through the AI SDK's loop: the conversation ends here, for a reason that is no fault of ours. */
export class ConversationEnd extends Error {
  override readonly name = 'ConversationEnd';
  readonly end:
    | { readonly kind: 'budget'; readonly reason: string }
    | { readonly kind: 'failed'; readonly failure: TryFailure };

  constructor(end: ConversationEnd['end']) {
    super(end.kind === 'budget' ? end.reason : end.failure.message);
    this.end = end;
  }
}

/** Who listens to the running conversation, and what shape its answers are to have. */
export interface Listener {
  readonly onWork: (event: WorkEvent) => void;
  /** Gets what each try took, answered or not. */
  readonly onUsage: (usage: Usage) => void;
  readonly answerSchema: object | undefined;
}

const TOTAL_FACTOR = 5;
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

/**
 * The list of models as one model of the AI SDK: it retries, falls back, keeps to the budget, records and replays.
 * Its calls reject with ConversationEnd, or with the signal's reason.
 */
export class TalkingModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'ralph';
  readonly modelId: string;
  readonly supportedUrls = {};
  /** Calls answered in all conversations. */
  answered = 0;
  readonly #settings: TalkSettings;
  #listener: Listener = { onWork: () => {}, onUsage: () => {}, answerSchema: undefined };
  readonly #opened = new Map<string, OpenModel>();
  #at = 0;
  #asksAgain = false;

  constructor(settings: TalkSettings) {
    this.#settings = settings;
    this.modelId = settings.names[0] ?? 'recorded';
  }

  /** Loads the provider of the model that is asked first. Rejects with RalphError. */
  async open(): Promise<void> {
    const { names, player } = this.#settings;
    if (player === undefined) await this.#open(names[this.#at]!);
  }

  begin(listener: Listener): void {
    this.#listener = listener;
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { player } = this.#settings;
    const { answerSchema: schema } = this.#listener;
    const call: LanguageModelV4CallOptions = {
      ...options,
      prompt: redactedPrompt(options.prompt),
      providerOptions: PROVIDER_OPTIONS,
      ...(schema !== undefined && { responseFormat: { type: 'json', schema, name: 'answer' } }),
    };
    const paid = this.#answeredBefore(options);
    const reply =
      paid !== undefined
        ? this.#playAgain(paid, paid.call.taken)
        : player === undefined
          ? await this.#ask(call)
          : this.#replay(call, player);
    this.answered++;
    return reply;
  }

  /** A reply that a secret was cut out of would be acted on in other words: it, and what came of it, is asked again. */
  #answeredBefore(options: LanguageModelV4CallOptions): PlayedCall | undefined {
    const { answeredBefore, channel } = this.#settings;
    if (this.#asksAgain) return undefined;
    const paid = answeredBefore?.next(channel, options);
    this.#asksAgain = paid !== undefined && JSON.stringify(paid.call.reply.content).includes(REDACTED);
    return this.#asksAgain ? undefined : paid;
  }

  doStream(): never {
    throw new Error('Replies are collected before they are handed on.');
  }

  async #ask(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { channel, health, ledger, maxDelayMs, maxOutputTokens, names, recorders, stream } = this.#settings;
    const context = { ledger, maxDelayMs, maxOutputTokens, stream, ...this.#listener };
    for (;;) {
      const opened = await this.#open(names[this.#at]!);
      const { name } = opened;
      const known = health.failureOf(name);
      failpoint('call.begin', name);
      const end: CallEnd =
        known === undefined
          ? await askWithRetries(opened, options, { ...context, tries: health.triesOf(name) })
          : { kind: 'failed', failure: known };
      if (end.kind !== 'budget') health.note(name, end.kind === 'failed' ? end.failure : undefined);
      if (end.kind === 'answered') {
        const { reply, taken } = end;
        failpoint('call.answered', name);
        for (const recorder of recorders)
          recorder.add(channel, { model: opened.name, options, reply, taken });
        return reply;
      }
      const next = end.kind === 'failed' ? names[this.#at + 1] : undefined;
      if (next === undefined || end.kind === 'budget') throw new ConversationEnd(end);
      this.#listener.onWork({
        type: 'model_fallback',
        from: opened.name,
        to: next,
        reason: end.failure.message,
      });
      this.#at++;
    }
  }

  async #open(name: string): Promise<OpenModel> {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const { baseUrl, env, folders, prices, timeoutMs } = this.#settings;
    const fetch = createGuardedFetch({
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

  #replay(options: LanguageModelV4CallOptions, player: Player): LanguageModelV4GenerateResult {
    const { channel } = this.#settings;
    const played = player.next(channel, options);
    if (played === undefined)
      throw new ConversationEnd({ kind: 'failed', failure: recordingEnded(player, channel) });
    if (!played.same) {
      const text = `${player.path} has no reply to this very request; the next one in order is taken.`;
      this.#listener.onWork({ type: 'warning', text });
    }
    return this.#playAgain(played, { ...played.call.taken, cost_usd: 0 });
  }

  #playAgain({ call: { model, reply } }: PlayedCall, usage: Usage): LanguageModelV4GenerateResult {
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

function recordingEnded(player: Player, channel: Channel): TryFailure {
  return {
    kind: 'recording',
    message: `${player.path} has ${player.count(channel)} calls of the ${channel}, and one more was asked for.`,
    hint: 'Record the run again with --record, or leave --replay out.',
    permanent: true,
    transient: false,
  };
}
