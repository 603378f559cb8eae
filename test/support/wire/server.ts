import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { errorAnswer, json, LOOP_PATH, redirectAnswer, renderAnswer } from './answer.ts';
import type { WireFormat } from './format.ts';
import { asObject } from './format.ts';
import { formats } from './formats/index.ts';
import type { WireReply } from './reply.ts';
import { parsedOr } from './reply.ts';
import type { WireOutcome, WireRequest } from './request.ts';
import { routeOf } from './route.ts';
import type { ScriptReader, WireScript } from './script.ts';
import { readScript } from './script.ts';
import { send, silence } from './send.ts';

/** A model's API on a port of 127.0.0.1 that answers as scripted, in the format in which it is asked. */
export interface WireServer {
  /** Without a path. */
  readonly url: string;
  /** The model calls, in the order in which they came. */
  readonly requests: readonly WireRequest[];
  /** Method and path of everything else that was asked for. */
  readonly others: readonly string[];
  /** Model calls for which the script had no reply: each was answered with 500. */
  readonly unscripted: number;
  /** Connections that were reset as soon as they were made. */
  readonly refused: number;
  /** From receiving a request to the end of its reply, in milliseconds, over all model calls. */
  readonly servedMs: number;
  /** What a provider takes as its base URL. */
  baseUrl(format: WireFormat): string;
  /** Ends every connection too. */
  close(): Promise<void>;
}

export interface WireOptions {
  readonly script: WireScript;
  /** Ids that `GET /v1/models` lists. */
  readonly models?: readonly string[];
}

/** Starts a server that is ready for requests. */
export async function startWireServer(scriptOrOptions: WireScript | WireOptions): Promise<WireServer> {
  const options = 'script' in scriptOrOptions ? scriptOrOptions : { script: scriptOrOptions };
  const wire = new Wire(options);
  const server = createServer((request, response) => void wire.receive(request, response));
  Object.assign(server, { keepAliveTimeout: 60_000, requestTimeout: 0 });
  server.on('connection', (socket) => wire.connect(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(wire, {
    url,
    baseUrl: (format: WireFormat) => url + formats[format].basePath,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

type Recorded = { -readonly [Key in keyof WireRequest]: WireRequest[Key] };

class Wire {
  readonly requests: Recorded[] = [];
  readonly others: string[] = [];
  unscripted = 0;
  refused = 0;
  servedMs = 0;
  readonly #script: ScriptReader;
  readonly #models: readonly string[];
  readonly #startMs = performance.now();

  constructor({ script, models = ['wire-model'] }: WireOptions) {
    this.#script = readScript(script);
    this.#models = models;
  }

  connect(socket: Socket): void {
    socket.setNoDelay(true);
    if (!this.#script.refusesNext()) return;
    this.#script.skip();
    this.refused += 1;
    socket.resetAndDestroy();
  }

  /** Never rejects. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedMs = performance.now();
    const left = new AbortController();
    response.on('close', () => left.abort());
    const { method = '', url: path = '' } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;

    const parsed = asObject(parsedOr(body, undefined));
    const route = routeOf(method, path, parsed);
    if (!route) return this.#receiveOther(`${method} ${path}`, response, left.signal);
    const record: Recorded = {
      number: this.requests.length,
      path,
      ...route,
      headers: flat(request.headers),
      body,
      json: parsed,
      atMs: receivedMs - this.#startMs,
      outcome: 'open',
    };
    this.requests.push(record);
    record.outcome = await this.#answer(record, response, left.signal).catch((): WireOutcome => 'left');
    this.servedMs += performance.now() - receivedMs;
  }

  async #answer(record: WireRequest, response: ServerResponse, signal: AbortSignal): Promise<WireOutcome> {
    const { reply, answer } = await this.#choose(record);
    const { fault, delayMs = 0 } = reply;
    if (delayMs > 0) await sleep(delayMs, undefined, { signal });
    if (fault?.kind === 'refused' || fault?.kind === 'reset-before-headers') {
      response.socket?.resetAndDestroy();
      return 'cut';
    }
    if (fault?.kind === 'stall' && fault.after === 'request') await silence(signal);
    // The next call must connect, so that its connection can be refused.
    if (this.#script.refusesNext()) response.setHeader('connection', 'close');
    return send(response, answer, { fault, signal });
  }

  async #choose(record: WireRequest): Promise<{ reply: WireReply; answer: Answer }> {
    try {
      const reply = await this.#script.next(record);
      return { reply, answer: renderAnswer(reply, record) };
    } catch (error) {
      this.unscripted += 1;
      return { reply: {}, answer: errorAnswer(500, String(error), formats[record.format]) };
    }
  }

  async #receiveOther(asked: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
    this.others.push(asked);
    await send(response, this.#answerOther(asked), { signal }).catch(() => undefined);
  }

  #answerOther(asked: string): Answer {
    if (asked.endsWith(LOOP_PATH)) return redirectAnswer();
    if (asked !== 'GET /v1/models') return errorAnswer(404, `Invalid URL (${asked})`, formats['openai-chat']);
    const data = this.#models.map((id) => ({
      id,
      object: 'model',
      created: 1_760_000_000,
      owned_by: 'wire',
    }));
    return json(200, { object: 'list', data });
  }
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
