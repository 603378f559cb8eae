import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import type { AgentProcess } from './agent-process.ts';
import { readLines } from './read-lines.ts';

export interface MessageListener {
  /** A valid message came, of any kind. */
  onMessage(): void;
  /** Parameters of a `session/update`, unchecked, in the order in which they came. */
  onUpdate(params: unknown): void;
  /** A line that is no message. Called for each, so it must be cheap. */
  onNoise(noise: Noise): void;
}

/** `text`: not a JSON-RPC message. `oversized`: longer than a message may be. */
export interface Noise {
  readonly kind: 'text' | 'oversized';
  readonly text: string;
}

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Requests of the agent that may wait for our answer at once; more are read when some are answered. */
const MAX_UNANSWERED = 32;
const NOISE_CHARS = 200;

/**
 * The JSON-RPC messages of an agent, as the protocol's library takes them: only requests and answers to what was
 * asked pass. Updates go to the listener, unchecked, so that kinds which the library does not know cost nothing;
 * everything else is noise, which an agent may write without harm. Memory is flat whatever the agent writes.
 */
export function createMessageStream(agent: AgentProcess, listener: MessageListener): Stream {
  const asked = new Set<unknown>();
  const gate = createGate(MAX_UNANSWERED);
  const lines = readLines(agent.stdout, MAX_MESSAGE_BYTES);

  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        await gate.passable();
        for (;;) {
          const { value: line, done } = await lines.next();
          if (done) return controller.close();
          const message = toMessage(line, listener);
          if (message === undefined) continue;
          listener.onMessage();
          if (isAnswer(message)) {
            if (!asked.delete(message.id)) continue;
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
      else if ('id' in message) asked.add(message.id);
      await writeLine(agent, JSON.stringify(message));
    },
  });
  return { readable, writable };
}

function toMessage(line: string | undefined, { onNoise }: MessageListener): AnyMessage | undefined {
  if (line === undefined) {
    onNoise({ kind: 'oversized', text: '' });
    return undefined;
  }
  if (line.trim() === '') return undefined;
  try {
    const value = parseBoundedJson(line);
    if (isMessage(value)) return value;
  } catch {
    // Not JSON: a log line, a banner.
  }
  onNoise({ kind: 'text', text: line.slice(0, NOISE_CHARS) });
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

/** Lets `limit` pass and the next wait until one has left. */
function createGate(limit: number): { passable(): Promise<void>; enter(): void; leave(): void } {
  let inside = 0;
  let open: (() => void) | undefined;
  return {
    enter: () => void inside++,
    leave() {
      inside--;
      open?.();
      open = undefined;
    },
    passable: () =>
      inside < limit ? Promise.resolve() : new Promise<void>((resolve) => void (open = resolve)),
  };
}
