import { rawCall } from './raw-call.ts';
import type { WireFormat } from './format.ts';
import type { WireReply } from './reply.ts';
import type { WireServer } from './server.ts';

/** What a client sees of one call when nothing helps it. */
export interface Observation {
  /** 0 where there were no headers. */
  status: number;
  type: string;
  retryAfter: string;
  text: string;
  pieces: number;
  /** A character came in two pieces. */
  torn: boolean;
  /** Code or words of what went wrong; empty where the body came to its end. */
  problem: string;
}

const LOOK_EVERY_MS = 10;
const SILENCE_MS = 60;

/** Calls a server whose next reply is `reply`. A stall is given up when it is one. */
export async function observe(
  server: WireServer,
  format: WireFormat,
  { streaming, reply: { fault } }: { readonly streaming: boolean; readonly reply: WireReply },
): Promise<Observation> {
  const seen = { status: 0, type: '', retryAfter: '', text: '', pieces: 0, torn: false, problem: '' };
  const patience = new AbortController();
  const isSilent = () =>
    (fault?.kind === 'stall' && fault.after === 'request' ? server.requests.length : seen.pieces) > 0;
  const look = setInterval(() => {
    if (fault?.kind === 'stall' && isSilent()) setTimeout(() => patience.abort(), SILENCE_MS);
  }, LOOK_EVERY_MS);
  try {
    await read(await rawCall(server, format, { streaming, signal: patience.signal }), seen);
  } catch (error) {
    seen.problem = problemOf(error);
  } finally {
    clearInterval(look);
  }
  return seen;
}

async function read(response: Response, seen: Observation): Promise<void> {
  seen.status = response.status;
  seen.type = response.headers.get('content-type') ?? '';
  seen.retryAfter = response.headers.get('retry-after') ?? '';
  const decoder = new TextDecoder();
  for await (const piece of response.body!) {
    seen.text += decoder.decode(piece, { stream: true });
    seen.torn ||= !isUtf8(piece);
    seen.pieces += 1;
  }
}

/** What is JSON in a body: each `data:` of a stream, or all of it. */
export function dataOf(text: string, streaming: boolean): string[] {
  if (!streaming) return [text];
  const found = [...text.matchAll(/^data: (.*?)\r?$/gm)].map((match) => match[1]!);
  return found.filter((data) => data !== '[DONE]');
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function problemOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? (name === 'AbortError' ? name : message);
}
