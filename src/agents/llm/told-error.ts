import { parseBoundedJson } from '../../platform/text/bounded-json.ts';

const ERROR_BOUNDS = { maxChars: 1024 * 1024, maxParts: 10_000 };

/** What a server says of an error in its body. */
export interface ToldError {
  /** Its words; empty where it has none. */
  readonly text: string;
  /** The HTTP status that it names, whatever the reply itself has. */
  readonly status?: number;
  /** Its name for the error, such as `overloaded_error`. */
  readonly type?: string;
}

/**
 * The error in a body that is JSON, in the shapes of OpenAI and its relatives: an object or a text under `error`
 * (LM Studio, Ollama, llama.cpp, OpenRouter), an error that is the body itself (vLLM), `detail` (FastAPI).
 * Undefined: no error is told.
 */
export function readToldError(body: string): ToldError | undefined {
  const parsed = parseJson(body);
  const whole: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(whole)) return undefined;
  const { error, object, detail } = whole;
  if (typeof error === 'string' && error !== '') return { text: error };
  if (isObject(error)) return toldIn(error);
  if (object === 'error') return toldIn(whole);
  if (typeof detail === 'string') return { text: detail };
  return Array.isArray(detail) ? { text: JSON.stringify(detail) } : undefined;
}

/** A number that is the status of a failed HTTP request. */
export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) < 600;
}

function toldIn({ message, code, metadata, type }: Record<string, unknown>): ToldError {
  // OpenRouter's own words say little; those of the provider behind it are here.
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  const texts = [message, raw].filter((text) => typeof text === 'string' && text !== '');
  return {
    text: texts.join(': '),
    ...(isErrorStatus(code) && { status: code }),
    ...(typeof type === 'string' && { type }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text, ERROR_BOUNDS);
  } catch {
    return undefined;
  }
}
