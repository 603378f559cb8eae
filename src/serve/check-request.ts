import { isIP } from 'node:net';
import { textAnswer, type Answer } from './answer.ts';

/** What is checked of a request. */
export interface CheckedRequest {
  readonly method: string | undefined;
  /** The path of a stream of events has no end, so it is not answered without a body. */
  readonly path: string;
  /** The Host header. */
  readonly host: string | undefined;
  /** Whether every page needs a token. */
  readonly isLocked: boolean;
}

/**
 * The refusal of a request, or undefined. Where no token is needed, Host may name an address, `localhost` or `served`, the
 * name of `--host`: a page of another site whose name was pointed at this server (DNS rebinding) sends its own name. With
 * tokens such a page has none, and proxies and load balancers send names of their own.
 */
export function refuseRequest(
  { method, path, host, isLocked }: CheckedRequest,
  served: string,
): Answer | undefined {
  const name = nameIn(host);
  const isNamed =
    name !== undefined &&
    (isLocked || isIP(name) > 0 || name === 'localhost' || name === served.toLowerCase());
  if (!isNamed)
    return textAnswer(
      421,
      'The Host header names another server. Open the address that ralph serve printed.\n',
    );
  const isPlain = method === 'GET' || (method === 'HEAD' && !/\/events\/?$/.test(path));
  if (!isPlain) return textAnswer(405, 'This server is read-only: only GET is answered.\n', { allow: 'GET' });
  return undefined;
}

/** True for an address or name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Name or address in a Host header, in lower case, without port and brackets. */
function nameIn(host: string | undefined): string | undefined {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/\s]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return (address ?? name)?.toLowerCase();
}
