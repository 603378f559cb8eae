import type { ServerResponse } from 'node:http';
import { contentPolicy } from '../report/page/document.ts';

/** An answer to a request. */
export interface Answer {
  readonly status: number;
  /** Media type. */
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page. */
export function pageAnswer(body: string, status = 200): Answer {
  return { status, type: 'text/html; charset=utf-8', body };
}

/** Plain text. */
export function textAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, type: 'text/plain; charset=utf-8', body, headers };
}

/** Sends an answer with the headers of every answer. */
export function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    ...commonHeaders(),
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** Headers of every answer: nothing is stored, framed, or given to another site. */
export function commonHeaders(): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': `${contentPolicy(true)}; frame-ancestors 'none'`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
