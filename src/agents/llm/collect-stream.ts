import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';

/** Progress of a stream; updated while it runs, so that it is known of a failed stream too. */
export interface StreamProgress {
  /** Characters received from the model. */
  chars: number;
}

/** The stream was closed without a finish part: the connection was cut, or the server stopped in the middle. */
export class TruncatedStreamError extends Error {
  override readonly name = 'TruncatedStreamError';
}

/**
 * Collects a streamed reply into the result of a call that does not stream; `onText` gets each piece of text as it
 * arrives. Rejects with the error that the stream reports, and with TruncatedStreamError if the finish part is missing.
 */
export async function collectStream(
  { stream, request, response }: LanguageModelV4StreamResult,
  onText: (text: string) => void,
  progress: StreamProgress,
): Promise<LanguageModelV4GenerateResult> {
  const parts = new PartList();
  const result: Partial<LanguageModelV4GenerateResult> = {};
  for await (const part of stream) {
    switch (part.type) {
      case 'error':
        throw part.error;
      case 'stream-start':
        result.warnings = part.warnings;
        break;
      case 'response-metadata':
        result.response = { id: part.id, timestamp: part.timestamp, modelId: part.modelId };
        break;
      case 'finish':
        result.finishReason = part.finishReason;
        result.usage = part.usage;
        result.providerMetadata = part.providerMetadata;
        break;
      default:
        progress.chars += 'delta' in part ? part.delta.length : 0;
        if (part.type === 'text-delta') onText(part.delta);
        parts.add(part);
    }
  }
  const { finishReason, usage } = result;
  if (finishReason === undefined || usage === undefined || isCutOff(finishReason)) {
    throw new TruncatedStreamError('the reply ended before it was finished');
  }
  return {
    content: parts.content,
    finishReason,
    usage,
    warnings: result.warnings ?? [],
    providerMetadata: result.providerMetadata,
    request,
    response: { ...result.response, headers: response?.headers },
  };
}

/** Whether the provider package made up the reason, since the stream had none. */
function isCutOff({ unified, raw }: LanguageModelV4GenerateResult['finishReason']): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

type Delta = Extract<
  LanguageModelV4StreamPart,
  { type: 'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }
>;

/** Joins the deltas of texts and reasoning by id, in order of their first part; other parts arrive complete. */
class PartList {
  readonly content: LanguageModelV4Content[] = [];
  readonly #open = new Map<string, { text: string; providerMetadata?: Delta['providerMetadata'] }>();

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#append('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#append('reasoning', part);
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'ping':
      case 'raw':
      case 'stream-start':
      case 'response-metadata':
      case 'finish':
      case 'error':
        return undefined;
      default:
        this.content.push(part);
    }
  }

  #append(type: 'text' | 'reasoning', part: Delta): void {
    const key = `${type} ${part.id}`;
    let block = this.#open.get(key);
    if (block === undefined || part.type.endsWith('-start')) {
      const fresh = { type, text: '' } as const;
      this.content.push(fresh as LanguageModelV4Content);
      block = fresh as { text: string };
      this.#open.set(key, block);
    }
    if ('delta' in part) block.text += part.delta;
    if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata;
  }
}
