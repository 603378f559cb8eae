import type { StatusFault, WireFault } from './fault.ts';
import { renderRetryAfter } from './fault.ts';
import type { FormatAdapter } from './format.ts';
import { formats } from './formats/index.ts';
import type { Frame } from './frame.ts';
import type { WireReply } from './reply.ts';
import { completeReply } from './reply.ts';
import type { WireRequest } from './request.ts';
import { sizeOf } from './request.ts';
import { spoil } from './spoil.ts';

/** A whole HTTP response before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One write each. */
  readonly chunks: readonly string[];
  /** Sent without a length, as its chunks come. */
  readonly streaming: boolean;
}

/** Path whose every answer is a redirect to itself. */
export const LOOP_PATH = '/redirect-loop';

const PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n';
const GATEWAY_PAGE =
  '<html><head><title>Bad gateway</title></head><body><center>nginx</center></body></html>\n';
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
const RESPONSES_STREAM_TEXTS = 5;

/** What a reply of the script is on the wire, in the format of the request. */
export function renderAnswer(reply: WireReply, request: WireRequest): Answer {
  const { fault } = reply;
  const adapter = formats[request.format];
  if (fault?.kind === 'status') return statusAnswer(fault, adapter);
  if (fault?.kind === 'html') return page(200, PAGE);
  if (fault?.kind === 'redirect-loop') return redirectAnswer();

  const complete = completeReply(grown(reply, request), request.number, sizeOf(request));
  const asked = { number: request.number, model: request.model, body: request.json };
  const id = `req_wire${request.number}`;
  const headers = { 'x-request-id': id, 'request-id': id };
  if (!request.streaming) {
    const frames: Frame[] = [{ part: 'body', data: JSON.stringify(adapter.body(complete, asked)) }];
    const chunks = spoil(frames, fault, adapter).map(({ data }) => data);
    return {
      status: 200,
      headers: { 'content-type': 'application/json', ...headers },
      chunks,
      streaming: false,
    };
  }
  const frames = spoil(adapter.frames(complete, asked), fault, adapter);
  const chunks = frames.map((frame) => renderFrame(frame, adapter.newline));
  return { status: 200, headers: { ...STREAM_HEADERS, ...headers }, chunks, streaming: true };
}

/** An error of the server itself, in the provider's shape. */
export function errorAnswer(status: 404 | 500, message: string, adapter: FormatAdapter): Answer {
  const body = adapter.errorBody(status) as { readonly error: object };
  return json(status, { ...body, error: { ...body.error, message } });
}

/** Any JSON. */
export function json(status: number, body: object): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify(body)],
    streaming: false,
  };
}

/** To the path that redirects to itself. */
export function redirectAnswer(): Answer {
  return { status: 307, headers: { location: LOOP_PATH }, chunks: [''], streaming: false };
}

function statusAnswer(fault: StatusFault, adapter: FormatAdapter): Answer {
  const answer = fault.html
    ? page(fault.status, GATEWAY_PAGE)
    : json(fault.status, adapter.errorBody(fault.status, fault.reason));
  if (!fault.retryAfter) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': renderRetryAfter(fault.retryAfter) } };
}

function page(status: number, text: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    chunks: [text],
    streaming: false,
  };
}

/** A stream of the Responses API says every text several times. */
function grown(reply: WireReply, { format, streaming }: WireRequest): WireReply {
  const fault: WireFault | undefined = reply.fault;
  if (fault?.kind !== 'huge') return reply;
  const times = streaming && format === 'openai-responses' ? RESPONSES_STREAM_TEXTS : 1;
  const usage = { input: 1000, output: 1000 };
  return { usage, ...reply, text: 'x'.repeat(Math.ceil((fault.megabytes * 1e6) / times)) };
}

function renderFrame({ event, data }: Frame, newline: string): string {
  return `${event ? `event: ${event}${newline}` : ''}data: ${data}${newline}${newline}`;
}
