import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { WorkEvent } from '../../events.ts';
import type { Price, Usage } from '../../schema/generated.ts';
import type { Ledger } from './ledger.ts';
import type { ModelHealth } from './model-health.ts';
import type { Player } from './player.ts';
import type { ProviderRequest } from './providers.ts';
import type { Channel, Recorder } from './recording.ts';
import type { OnCall } from './retrying-model.ts';

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
