import { parseBoundedJson } from '../../platform/text/bounded-json.ts';

const ERROR_BOUNDS = { maxChars: 1024 * 1024, maxParts: 10_000 };

/** An error as a server describes it in a JSON body. */
export interface ErrorPayload {
  /** The server's message; empty if it sent none. */
  readonly text: string;
  /** The HTTP status named in the body, which may differ from the status of the response. */
  readonly status?: number;
  /** The server's name for the error, such as `overloaded_error`. */
  readonly type?: string;
}

/**
 * Reads the error in a JSON body, in the shapes of OpenAI and of servers that imitate it: an object or a string under
 * `error` (LM Studio, Ollama, llama.cpp, OpenRouter), an error as the body itself (vLLM), `detail` (FastAPI).
 * Undefined if the body holds no error.
 */
export function parseErrorPayload(body: string): ErrorPayload | undefined {
  const parsed = parseJson(body);
  const payload: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(payload)) return undefined;
  const { error, object, detail } = payload;
  if (typeof error === 'string' && error !== '') return { text: error };
  if (isObject(error)) return readErrorObject(error);
  if (object === 'error') return readErrorObject(payload);
  if (typeof detail === 'string') return { text: detail };
  return Array.isArray(detail) ? { text: JSON.stringify(detail) } : undefined;
}

/** Whether the value is an integer from 400 to 599. */
export function isErrorStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 400 && (value as number) < 600;
}

function readErrorObject({ message, code, metadata, type }: Record<string, unknown>): ErrorPayload {
  // OpenRouter's own message is generic; the message of the provider behind it is in `metadata.raw`.
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  const texts = [message, raw].filter((text) => typeof text === 'string' && text !== '');
  return {
    text: texts.join(': '),
    status: isErrorStatus(code) ? code : undefined,
    type: typeof type === 'string' ? type : undefined,
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
