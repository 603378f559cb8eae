import type { WireReply } from './reply.ts';
import type { WireRequest } from './request.ts';

/** Replies in order, or what to answer to a request, whose number is `number`. */
export type WireScript =
  readonly WireReply[] | ((request: WireRequest, number: number) => WireReply | Promise<WireReply>);

/** A script and how far it has been read. */
export interface ScriptReader {
  /** The reply to a request; throws, with words for the client, where there is none. */
  next(request: WireRequest): Promise<WireReply>;
  /** Whether the next reply is known to refuse the connection. */
  refusesNext(): boolean;
  /** Passes over the next reply. */
  skip(): void;
}

/** Reads `script` from its beginning. */
export function readScript(script: WireScript): ScriptReader {
  if (typeof script === 'function') {
    const next = async (request: WireRequest) => script(request, request.number);
    return { next, refusesNext: () => false, skip: () => {} };
  }
  let position = 0;
  return {
    next() {
      const reply = script[position];
      position += 1;
      if (reply) return Promise.resolve(reply);
      const message = `The script of the server has ${script.length} replies, and this is call ${position}.`;
      return Promise.reject(new Error(message));
    },
    refusesNext: () => script[position]?.fault?.kind === 'refused',
    skip() {
      position += 1;
    },
  };
}
