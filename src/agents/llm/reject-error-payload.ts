import { parseErrorPayload, type ErrorPayload } from './error-payload.ts';

/** Keys that only a reply has, in any of the four formats. */
const REPLY_KEYS = /"(?:choices|output|content|candidates)"\s*:/;

/** An error that a server sent with a 2xx status. */
class ErrorPayloadError extends Error {
  override readonly name = 'ErrorPayloadError';
  /** The provider's name for the error, such as `overloaded_error`. */
  readonly type: string | undefined;
  /** The HTTP status named in the payload. */
  readonly code: number | undefined;

  constructor({ text, type, status }: ErrorPayload) {
    super(text);
    this.type = type;
    this.code = status;
  }
}

/**
 * Returns the response unchanged, or rejects with ErrorPayloadError if it is a 2xx whose JSON body is an error:
 * LM Studio sends one for an unknown path, OpenRouter for a failure of the provider behind it. The provider packages
 * would report such a body as an unreadable reply.
 */
export async function rejectErrorPayload(response: Response): Promise<Response> {
  if (!response.ok || !/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return response;
  if (response.body === null) return response;
  const text = await response.text();
  const payload = REPLY_KEYS.test(text) ? undefined : parseErrorPayload(text);
  if (payload !== undefined) throw new ErrorPayloadError(payload);
  return new Response(text, response);
}
