import { bodyOf, HttpReply } from './http/http-reply.ts';
import { readToldError } from './told-error.ts';

/** What only a reply has, in each of the formats. */
const REPLY_KEYS = /"(?:choices|output|content|candidates)"\s*:/;

/** An error that was sent as if it were a reply. */
export class MaskedError extends Error {
  override readonly name = 'MaskedError';
  /** The provider's name for it, where it has one. */
  readonly type: unknown;
  /** The HTTP status that it names, where it does. */
  readonly code: number | undefined;

  constructor({ text, type, status }: ReturnType<typeof readToldError> & object) {
    super(text);
    this.type = type;
    this.code = status;
  }
}

/**
 * The reply as it is, or MaskedError where it is an error with status 200 (LM Studio for a wrong path, OpenRouter for
 * what its providers did), which the providers' packages would call a reply that is not to be read.
 */
export async function unmaskError(response: HttpReply): Promise<HttpReply> {
  if (!response.ok || !/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return response;
  const text = await response.text();
  const told = REPLY_KEYS.test(text) ? undefined : readToldError(text);
  if (told !== undefined) throw new MaskedError(told);
  return new HttpReply(response, bodyOf(text));
}
