import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { createTurns, type Turns } from './in-turn.ts';
import { readMessages, type LongMessage } from './read-messages.ts';
import { createMcpServer } from './server.ts';
import type { McpServices } from './services.ts';

/** Options of `serveStdio`. */
export interface ServeOptions {
  readonly services: McpServices;
  /** Default: standard input and output. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Called for invalid messages and for answers that could not be sent. */
  readonly onProblem: (text: string) => void;
  /** Stops the server immediately when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Serves one client with one message per line; only the protocol is written to the output. When the client closes the
 * input, pending requests are answered first; `signal` stops immediately.
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
  // A failed input counts as closed; without a listener, the error would end the process.
  messages.on('error', () => {});
  await server.connect(new StdioServerTransport(messages, output));
  await Promise.race([gone, closed.then(() => flushAnswers(turns))]);
  await server.close();
}

/** Answers a message that was too long with an error, so that the client does not wait for an answer. */
function answerLong({ id, reason }: LongMessage, output: Writable): void {
  if (id === undefined || output.destroyed) return;
  const error = { code: ErrorCode.InvalidRequest, message: reason };
  output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
}

/** Waits for pending answers: an answer is sent a few turns of the event loop after its work is done. */
async function flushAnswers(turns: Turns): Promise<void> {
  await setImmediate();
  await turns.idle();
  await setImmediate();
}
