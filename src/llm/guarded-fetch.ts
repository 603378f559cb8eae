import { fetchWithinHost } from './fetch-within-host.ts';
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
 * `fetch` with an end: a server that falls silent, drips without end, answers with a page of HTML or with more
 * than anybody could read makes the reply fail with a WireError. No clock and no connection of a failed reply is left
 * behind.
 */
export function createGuardedFetch(bounds: FetchBounds): typeof fetch {
  return async (input, init) => {
    const watch = new Watch(bounds);
    const signal = AbortSignal.any([watch.signal, ...(init?.signal ? [init.signal] : [])]);
    try {
      const response = await fetchWithinHost(input, { ...init, signal });
      refuseHtml(response);
      watch.heard();
      if (response.body === null) return watch.end(response);
      const { status, statusText, headers } = response;
      const body = response.body.pipeThrough(watch.countingStream());
      return await unmaskError(new Response(body, { status, statusText, headers }));
    } catch (error) {
      throw watch.drop(error);
    }
  };
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

  countingStream(): TransformStream<Uint8Array, Uint8Array> {
    let bytes = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        this.heard();
        bytes += chunk.byteLength;
        if (bytes > this.#bounds.maxBytes) {
          this.close();
          this.#controller.abort(tooLong(this.#bounds.maxBytes));
          controller.error(tooLong(this.#bounds.maxBytes));
          return;
        }
        controller.enqueue(chunk);
      },
      flush: () => this.close(),
      cancel: () => this.close(),
    });
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

function refuseHtml({ ok, url, headers }: Response): void {
  if (!ok || !/\btext\/html\b/i.test(headers.get('content-type') ?? '')) return;
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
