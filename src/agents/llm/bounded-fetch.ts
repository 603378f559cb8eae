import { dispatcherWithoutTimeouts } from './dispatcher-without-timeouts.ts';
import { keepPlainReply, takeKeptReply } from './kept-replies.ts';
import { withPlausibleUsage } from './plausible-usage.ts';
import { rejectErrorPayload } from './reject-error-payload.ts';
import { fetchFromSameHost } from './same-host-fetch.ts';
import { WireError } from './wire-error.ts';

export interface FetchBounds {
  /** `provider/model`, for messages. */
  readonly model: string;
  /** The longest silence before the first byte and between two chunks, in milliseconds. */
  readonly silenceMs: number;
  /** From the request to the last byte of the reply, in milliseconds. */
  readonly totalMs: number;
  /** The largest body after decompression, in bytes. */
  readonly maxBytes: number;
}

/** Statuses for which the Response constructor accepts no body (Fetch standard, "null body status"). */
const NULL_BODY_STATUSES: readonly number[] = [204, 205, 304];

/**
 * The global `fetch` with bounds, for the provider packages of the AI SDK. Rejects, or makes the body fail, with a
 * WireError if the server is silent or slow for too long, sends an HTML page or a too large body, or redirects to
 * another host; with ErrorPayloadError if the body of a 2xx is an error; with PlainReplyError if it is one JSON object and a stream
 * was asked for; with the caller's reason if the caller
 * aborts; and as `fetch` does for everything else. A failed reply leaves no timer and no connection behind.
 */
export function createBoundedFetch(bounds: FetchBounds): typeof fetch {
  return async (input, init = {}) => {
    const kept = takeKeptReply(init.headers);
    if (kept !== undefined) return kept;
    const timers = new ReplyTimers(bounds);
    const signals = [timers.signal, init.signal].filter((signal) => signal instanceof AbortSignal);
    const signal = AbortSignal.any(signals);
    try {
      const address = input instanceof Request ? input.url : input;
      const dispatcher = dispatcherWithoutTimeouts();
      const response = await fetchFromSameHost(address, { ...init, signal, dispatcher });
      refuseHtml(response);
      const checked = await rejectErrorPayload(timers.bound(response));
      return await keepPlainReply(withPlausibleUsage(checked), init);
    } catch (error) {
      throw timers.fail(signal.aborted ? signal.reason : error);
    }
  };
}

/** The silence timer and the total timer of one reply. */
class ReplyTimers {
  readonly #bounds: FetchBounds;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #stopped = false;

  constructor(bounds: FetchBounds) {
    this.#bounds = bounds;
    this.#total = setTimeout(() => this.#expire('did not finish its reply', 'total'), bounds.totalMs);
    this.#silence = this.#startSilence();
  }

  /** Aborted when a timer expires, and by `fail`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the timers and closes the connection. Returns the error to report: the timer's if one has expired. */
  fail(error: unknown): unknown {
    this.#stop();
    if (this.signal.aborted) return this.signal.reason;
    this.#controller.abort(error);
    return error;
  }

  /** The response with its body under the bounds. */
  bound(response: Response): Response {
    this.#restartSilence();
    const { body, headers, status, statusText } = response;
    if (body === null || NULL_BODY_STATUSES.includes(status)) {
      this.#stop();
      return response;
    }
    return new Response(this.#boundBody(body), { headers, status, statusText });
  }

  #boundBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const { maxBytes } = this.#bounds;
    const reader = body.getReader();
    let bytes = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (done) {
              this.#stop();
              return controller.close();
            }
            this.#restartSilence();
            bytes += value.byteLength;
            if (bytes > maxBytes) throw tooLarge(maxBytes);
            controller.enqueue(value);
          } catch (error) {
            controller.error(this.fail(error));
          }
        },
        cancel: async (reason) => {
          this.#stop();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #restartSilence(): void {
    if (this.#stopped) return;
    clearTimeout(this.#silence);
    this.#silence = this.#startSilence();
  }

  #startSilence(): NodeJS.Timeout {
    const { silenceMs } = this.#bounds;
    return setTimeout(() => this.#expire('sent nothing', 'silence'), silenceMs);
  }

  #stop(): void {
    this.#stopped = true;
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }

  /** A server that was too slow for a whole reply is not asked again, a silent one once: the waits would add up. */
  #expire(what: string, limit: 'total' | 'silence'): void {
    const { model, silenceMs, totalMs } = this.#bounds;
    const isTotal = limit === 'total';
    const option = `--model-timeout ${silenceMs / 1000}s`;
    const why = isTotal ? `${Math.round(totalMs / silenceMs)} times ${option}` : option;
    this.fail(
      new WireError(
        `${model}: the server ${what} within ${(isTotal ? totalMs : silenceMs) / 1000} s (${why}).`,
        {
          kind: 'timeout',
          transient: true,
          maxTries: isTotal ? 1 : 2,
          hint: 'Allow more time: --model-timeout 10m',
        },
      ),
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

function tooLarge(maxBytes: number): WireError {
  return new WireError(`The reply is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB.`, {
    kind: 'reply',
    transient: false,
  });
}
