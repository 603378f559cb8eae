import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';

/** How far a stream came; filled while it runs, so that it also tells of one that broke. */
export interface StreamProgress {
  /** Characters that the model has said. */
  chars: number;
}

/** The stream ended politely and had no end: the connection was cut, or the server lost its thread. */
export class TruncatedStreamError extends Error {
  override readonly name = 'TruncatedStreamError';
}

/**
 * A streamed reply as the whole it stands for; `onText` gets each piece of text as it comes. Rejects with what the
 * stream reports as an error, and with TruncatedStreamError where its end is missing.
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
      case 'response-metadata': {
        const { id, timestamp, modelId } = part;
        result.response = {
          ...(id !== undefined && { id }),
          ...(timestamp !== undefined && { timestamp }),
          ...(modelId !== undefined && { modelId }),
        };
        break;
      }
      case 'finish': {
        const { finishReason, usage, providerMetadata } = part;
        Object.assign(result, { finishReason, usage, ...(providerMetadata && { providerMetadata }) });
        break;
      }
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
    ...{ content: parts.content, finishReason, usage, warnings: result.warnings ?? [] },
    ...(result.providerMetadata && { providerMetadata: result.providerMetadata }),
    ...(request && { request }),
    response: { ...result.response, ...(response?.headers && { headers: response.headers }) },
  };
}

/** What providers make up where the stream never gave a reason. */
function isCutOff({ unified, raw }: LanguageModelV4GenerateResult['finishReason']): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

type Delta = Extract<
  LanguageModelV4StreamPart,
  { type: 'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }
>;

/** Texts and reasonings grow by their ids, in the order in which they began; everything else comes whole. */
class PartList {
  readonly content: LanguageModelV4Content[] = [];
  readonly #open = new Map<string, { text: string; providerMetadata?: Delta['providerMetadata'] }>();

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#grow('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#grow('reasoning', part);
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

  #grow(type: 'text' | 'reasoning', part: Delta): void {
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
