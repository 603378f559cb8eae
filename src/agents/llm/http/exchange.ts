import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HeaderMap, type HeaderSource } from './header-map.ts';
import type { ReplyHead } from './http-reply.ts';

export interface HttpRequest {
  readonly method: string;
  readonly headers: HeaderSource;
  readonly body?: string | Uint8Array;
  /** Aborted: the connection is closed, and what waits rejects with its reason. */
  readonly signal: AbortSignal;
}

export interface Exchange {
  readonly head: ReplyHead;
  /** Decompressed. Undefined where there is none. */
  readonly pieces?: AsyncIterator<Uint8Array>;
  /** Closes the connection, where the reply has not come to its end. */
  hangUp(): void;
}

const WITHOUT_BODY: readonly number[] = [204, 205, 304];
const DECOMPRESSORS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  ...{ gzip: createGunzip, 'x-gzip': createGunzip },
  ...{ deflate: createInflate, br: createBrotliDecompress },
};

/**
 * One request by node:http(s), which starts five times as fast as Node's fetch. Follows nothing. Rejects, and its
 * pieces reject, as fetch does: with the signal's reason, or with a TypeError (`fetch failed`, `terminated`) that has
 * the system's error as its cause.
 */
export function exchange(url: URL, { method, headers, body, signal }: HttpRequest): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const failed = (error: unknown): void => reject(toldAs('fetch failed', error, signal));
    try {
      signal.throwIfAborted();
      const fields = new HeaderMap(headers);
      if (!fields.has('accept')) fields.set('accept', '*/*');
      if (body !== undefined) fields.set('content-length', String(Buffer.byteLength(body)));
      const sent = send(url, { method, headers: Object.fromEntries(fields), signal });
      sent.on('error', failed);
      sent.on('response', (response) => resolve(exchangeOf(url, response, signal)));
      sent.end(body);
    } catch (error) {
      failed(error);
    }
  });
}

function exchangeOf(url: URL, response: IncomingMessage, signal: AbortSignal): Exchange {
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  const head = { status, statusText, url: url.href, headers: new HeaderMap(response.headers) };
  const hangUp = (): void => void response.destroy();
  if (WITHOUT_BODY.includes(status)) {
    response.resume();
    return { head, hangUp };
  }
  return { head, pieces: piecesOf(decompressed(response), signal), hangUp };
}

function decompressed(response: IncomingMessage): Readable {
  const name = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const create = Object.hasOwn(DECOMPRESSORS, name) ? DECOMPRESSORS[name] : undefined;
  if (create === undefined) return response;
  const plain = create();
  response.on('error', (error) => plain.destroy(error));
  plain.on('close', () => response.destroy());
  return response.pipe(plain);
}

async function* piecesOf(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    throw toldAs('terminated', error, signal);
  }
}

function toldAs(what: string, error: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : new TypeError(what, { cause: error });
}
