import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { createTurns, type Turns } from './in-turn.ts';
import { readMessages, type LongMessage } from './read-messages.ts';
import { createMcpServer } from './server.ts';
import type { McpServices } from './services.ts';

export interface ServeOptions {
  readonly services: McpServices;
  /** The client's side and ours; standard input and output by default. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Told of messages that are none, and of answers that could not be given. */
  readonly onProblem: (text: string) => void;
  /** Aborted: stop at once. */
  readonly signal: AbortSignal;
}

/**
 * Serves one client, line by line; the output carries nothing but the protocol. When the client closes the input, what
 * it has asked for is answered first; `signal` ends it at once.
 */
export async function serveStdio({ services, onProblem, signal, ...streams }: ServeOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout } = streams;
  const turns = createTurns();
  const server = createMcpServer(services, turns);
  server.onerror = (error) => onProblem(messageOf(error));
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const messages = readMessages(input, (message) => {
    onProblem(message.reason);
    answerLong(message, output);
  });
  const closed = new Promise<void>((resolve) => void messages.once('close', resolve).once('end', resolve));
  // An input that breaks off is at its end, also when the server does not listen any more.
  messages.on('error', () => {});
  await server.connect(new StdioServerTransport(messages, output));
  await Promise.race([gone, closed.then(() => answersOut(turns))]);
  await server.close();
}

/** The connection stays: a client that has sent too much waits for an answer like any other. */
function answerLong({ id, reason }: LongMessage, output: Writable): void {
  if (id === undefined || output.destroyed) return;
  const error = { code: ErrorCode.InvalidRequest, message: reason };
  output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
}

/** An answer is on its way some turns of the event loop after its work is done. */
async function answersOut(turns: Turns): Promise<void> {
  await setImmediate();
  await turns.idle();
  await setImmediate();
}
