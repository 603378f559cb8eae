import { fetchWithinHost } from './fetch-within-host.ts';
import type { Exchange, HttpRequest } from './http/exchange.ts';
import type { HeaderSource } from './http/header-map.ts';
import { HttpReply, type ReplyHead } from './http/http-reply.ts';
import { unmaskError } from './unmask-error.ts';
import { WireError } from './wire-error.ts';

export interface FetchBounds {
  /** Silence at most, before the first byte and between two pieces. */
  readonly silenceMs: number;
  /** From the request to the last byte of the reply. */
  readonly totalMs: number;
  /** Bytes of one reply, as they are after decompression. */
  readonly maxBytes: number;
}

/**
 * `fetch` with an end, as far as the providers' packages use it: a server that falls silent, drips without end,
 * answers with a page of HTML or with more than anybody could read makes the reply fail with a WireError. No clock
 * and no connection of a failed reply is left behind.
 */
export function createGuardedFetch(bounds: FetchBounds): typeof fetch {
  const guarded = async (input: string | URL, init: RequestInit = {}): Promise<HttpReply> => {
    const watch = new Watch(bounds);
    const signal = AbortSignal.any([watch.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const { head, pieces, hangUp } = await fetchWithinHost(input, { ...requestOf(init), signal });
      refuseHtml(head);
      watch.heard();
      if (pieces === undefined) return watch.end(new HttpReply(head, null));
      return await unmaskError(new HttpReply(head, watch.counted({ pieces, hangUp })));
    } catch (error) {
      throw watch.drop(error);
    }
  };
  // The packages read of a reply what it has, and ask with an address and a text.
  return guarded as unknown as typeof fetch;
}

function requestOf({ method = 'GET', headers, body }: RequestInit): Omit<HttpRequest, 'signal'> {
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Only a text or bytes can be sent to a model.');
  }
  return { method, headers: (headers ?? {}) as HeaderSource, ...(body ? { body } : {}) };
}

/** The clocks of one reply. */
class Watch {
  readonly #bounds: FetchBounds;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #closed = false;

  constructor(bounds: FetchBounds) {
    this.#bounds = bounds;
    this.#total = setTimeout(() => this.#fail('did not finish', bounds.totalMs), bounds.totalMs);
    this.#silence = this.#listen();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    if (this.#closed) return;
    clearTimeout(this.#silence);
    this.#silence = this.#listen();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }

  end<T>(value: T): T {
    this.close();
    return value;
  }

  /** Ends the connection; gives what is to be told of it, which is `error` where no bound was broken. */
  drop(error: unknown): unknown {
    this.close();
    if (this.signal.aborted) return this.signal.reason;
    this.#controller.abort(error);
    return error;
  }

  /** The pieces of a body as they come, up to the bound. */
  counted({ pieces, hangUp }: Required<Omit<Exchange, 'head'>>): ReadableStream<Uint8Array> {
    let bytes = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await pieces.next();
            this.heard();
            if (done === true) {
              this.close();
              return controller.close();
            }
            bytes += value.byteLength;
            if (bytes > this.#bounds.maxBytes) throw tooLong(this.#bounds.maxBytes);
            controller.enqueue(value);
          } catch (error) {
            controller.error(this.drop(error));
          }
        },
        cancel: () => {
          this.close();
          hangUp();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #listen(): NodeJS.Timeout {
    return setTimeout(() => this.#fail('said nothing', this.#bounds.silenceMs), this.#bounds.silenceMs);
  }

  #fail(what: string, afterMs: number): void {
    this.close();
    this.#controller.abort(
      new WireError(`The model's server ${what} within ${afterMs / 1000} s.`, {
        kind: 'timeout',
        transient: true,
        hint: 'More patience: --model-timeout 10m',
      }),
    );
  }
}

function refuseHtml({ status, url, headers }: ReplyHead): void {
  if (status < 200 || status > 299 || !/\btext\/html\b/i.test(headers.get('content-type') ?? '')) return;
  throw new WireError(`${url.replace(/\?.*/, '')} answers with a web page, not with a model's reply.`, {
    kind: 'reply',
    transient: false,
    hint: 'Check --base-url: it ends with the version of the API, such as http://127.0.0.1:11434/v1',
  });
}

function tooLong(maxBytes: number): WireError {
  return new WireError(`The reply is longer than ${Math.round(maxBytes / 1024 / 1024)} MiB.`, {
    kind: 'reply',
    transient: false,
  });
}
