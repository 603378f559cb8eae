import { randomUUID } from 'node:crypto';

/** The header of a request that is answered by a kept reply; it is never sent. */
const KEPT_REPLY = 'x-ralph-kept-reply';

const repliesById = new Map<string, Response>();

/** A request for a stream was answered with one JSON object, which is kept for a call that does not stream. */
export class PlainReplyError extends Error {
  override readonly name = 'PlainReplyError';
  /** Headers for the call that is to get the reply. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(reply: Response) {
    super('The server answered a request for a stream with one JSON object.');
    const id = randomUUID();
    repliesById.set(id, reply);
    this.headers = { [KEPT_REPLY]: id };
  }
}

const MOST_CAUSES = 5;

/** The error, or one of its nearest causes, of a request whose reply is kept. */
export function plainReplyIn(error: unknown): PlainReplyError | undefined {
  let link = error;
  for (let causes = 0; link instanceof Error && causes <= MOST_CAUSES; causes++) {
    if (link instanceof PlainReplyError) return link;
    link = link.cause;
  }
  return undefined;
}

/** Takes the reply that was kept for a request with these headers; undefined if the request is to be sent. */
export function takeKeptReply(headers: RequestInit['headers']): Response | undefined {
  const id = new Headers(headers).get(KEPT_REPLY);
  if (id === null) return undefined;
  const reply = repliesById.get(id);
  repliesById.delete(id);
  return reply;
}

/** Throws PlainReplyError for a JSON object in reply to a request whose body asks for a stream. */
export async function keepPlainReply(response: Response, { body }: RequestInit): Promise<Response> {
  const asksForStream = typeof body === 'string' && /"stream"\s*:\s*true\b/.test(body);
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  if (!asksForStream || !response.ok || !isJson) return response;
  const text = await response.text();
  const reply = new Response(text, response);
  // Some proxies label a stream as JSON.
  if (!text.trimStart().startsWith('{')) return reply;
  throw new PlainReplyError(reply);
}
