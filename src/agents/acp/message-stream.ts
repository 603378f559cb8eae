import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import type { AgentProcess } from './agent-process.ts';
import { readLines } from './read-lines.ts';

export interface MessageListener {
  /** Called for each valid message. */
  onMessage(): void;
  /** Called in order with the unchecked parameters of each `session/update`. */
  onUpdate(params: unknown): void;
  /** Called for each line that is not a message; must be cheap. */
  onStrayLine(line: StrayLine): void;
}

/** `text`: not a JSON-RPC message. `oversized`: longer than a message may be. */
export interface StrayLine {
  readonly kind: 'text' | 'oversized';
  readonly text: string;
}

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** The maximum number of unanswered requests of the agent; more are read as they are answered. */
const MAX_UNANSWERED = 32;
const STRAY_LINE_CHARS = 200;

/**
 * The JSON-RPC messages of an agent as a stream for the protocol's library, which gets only requests and answers to
 * its own requests. Updates go to the listener unchecked, since the library rejects unknown kinds; lines that are not
 * messages go to the listener as well. Memory is bounded.
 */
export function createMessageStream(agent: AgentProcess, listener: MessageListener): Stream {
  const awaited = new Set<unknown>();
  const gate = createGate(MAX_UNANSWERED);
  const lines = readLines(agent.stdout, MAX_MESSAGE_BYTES);

  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        await gate.ready();
        for (;;) {
          const { value: line, done } = await lines.next();
          if (done) return controller.close();
          const message = toMessage(line, listener);
          if (message === undefined) continue;
          listener.onMessage();
          if (isAnswer(message)) {
            if (!awaited.delete(message.id)) continue;
          } else if (!('id' in message)) {
            if (message.method === 'session/update') listener.onUpdate(message.params);
            if (message.method !== '$/cancel_request') continue;
          } else {
            gate.enter();
          }
          return controller.enqueue(message);
        }
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );

  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if (isAnswer(message)) gate.leave();
      else if ('id' in message) awaited.add(message.id);
      await writeLine(agent, JSON.stringify(message));
    },
  });
  return { readable, writable };
}

function toMessage(line: string | undefined, { onStrayLine }: MessageListener): AnyMessage | undefined {
  if (line === undefined) {
    onStrayLine({ kind: 'oversized', text: '' });
    return undefined;
  }
  if (line.trim() === '') return undefined;
  try {
    const value = parseBoundedJson(line);
    if (isMessage(value)) return value;
  } catch {
    // Not JSON: a log line, a banner.
  }
  onStrayLine({ kind: 'text', text: line.slice(0, STRAY_LINE_CHARS) });
  return undefined;
}

function isMessage(value: unknown): value is AnyMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { jsonrpc, method, id } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return false;
  const hasId = typeof id === 'string' || Number.isFinite(id);
  return method === undefined ? hasId : typeof method === 'string' && (hasId || !('id' in value));
}

function isAnswer(message: AnyMessage): message is Extract<AnyMessage, { id: unknown }> {
  return !('method' in message);
}

function writeLine({ stdin }: AgentProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** A semaphore: `ready` waits while `limit` are inside. */
function createGate(limit: number): { ready(): Promise<void>; enter(): void; leave(): void } {
  let inside = 0;
  let open: (() => void) | undefined;
  return {
    enter: () => void inside++,
    leave() {
      inside--;
      open?.();
      open = undefined;
    },
    ready: () => (inside < limit ? Promise.resolve() : new Promise<void>((resolve) => void (open = resolve))),
  };
}
