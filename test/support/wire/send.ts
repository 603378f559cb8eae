import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { WireFault } from './fault.ts';

/** Long enough for the bytes before a reset to be read, and for two writes to be two packets. */
const APART_MS = 15;

/**
 * Writes an answer as its fault wants it. Resolves to how it ended; rejects where the client is gone, which `signal`
 * says too.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  { fault, signal }: { readonly fault?: WireFault; readonly signal: AbortSignal },
): Promise<'answered' | 'cut'> {
  const bytes = answer.chunks.map((chunk) => Buffer.from(chunk));
  const length = bytes.reduce((sum, chunk) => sum + chunk.length, 0);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(!answer.streaming && { 'content-length': length }),
  });
  response.flushHeaders();

  switch (fault?.kind) {
    case 'reset-mid-stream':
      await writeAll(response, halfOf(bytes), 0, signal);
      await sleep(APART_MS, undefined, { signal });
      response.socket?.resetAndDestroy();
      return 'cut';
    case 'stall':
      await writeAll(response, bytes.length > 1 ? bytes.slice(0, 1) : halfOf(bytes), 0, signal);
      await silence(signal);
      return 'cut';
    case 'drip':
      await writeAll(response, slices(Buffer.concat(bytes), fault.bytes), fault.everyMs, signal);
      break;
    case 'split-utf8':
      await writeAll(response, torn(Buffer.concat(bytes)), APART_MS, signal);
      break;
    default:
      await writeAll(response, bytes, 0, signal);
  }
  response.end();
  await once(response, 'finish', { signal });
  return 'answered';
}

/** Rejects when the client or the server has had enough. */
export async function silence(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
}

async function writeAll(
  response: ServerResponse,
  chunks: readonly Buffer[],
  apartMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await (apartMs > 0 ? sleep(apartMs, undefined, { signal }) : nextTurn());
    signal.throwIfAborted();
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
}

function halfOf(chunks: readonly Buffer[]): Buffer[] {
  const whole = Buffer.concat(chunks);
  return [whole.subarray(0, Math.ceil(whole.length / 2))];
}

function slices(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** Cut after the first byte of every character that has several. */
function torn(bytes: Buffer): Buffer[] {
  const cuts = [...bytes.keys()].filter((at) => (bytes[at - 1] ?? 0) >= 0xc0);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}
