import { PassThrough } from 'node:stream';
import { openMcpServices, type McpRequest } from '../../src/compose/mcp.ts';
import { serveStdio } from '../../src/mcp/serve.ts';

export interface Answer {
  readonly id?: number | string;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server over a repository, spoken to in raw lines. */
export interface RawClient {
  readonly problems: string[];
  /** Every line that came out, parsed; throws where one is no message. */
  answers(): Answer[];
  send(line: string): void;
  /** The answer to a request that is sent now. */
  ask(method: string, params?: object): Promise<Answer>;
  /** Closes the input and waits for the server to end. */
  close(): Promise<void>;
}

export function connectRaw(repositoryRoot: string, allowed: Partial<McpRequest> = {}): RawClient {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const problems: string[] = [];
  const request = { repositoryRoot, version: '0.0.0', allowWrites: false, allowEvaluate: false, ...allowed };
  const warn = (text: string): void => void problems.push(text);
  const ended = serveStdio({
    services: openMcpServices({ ...request, warn }),
    ...{ input, output, onProblem: warn, signal: new AbortController().signal },
  });
  let text = '';
  const waiting: (() => void)[] = [];
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const look of [...waiting]) look();
  });
  let id = 1_000_000;
  const answers = (): Answer[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const message = JSON.parse(line) as Answer & { jsonrpc: string };
        if (message.jsonrpc !== '2.0') throw new Error(`No message: ${line}`);
        return message;
      });
  return {
    problems,
    answers,
    send: (line) => void input.write(`${line}\n`),
    ask(method, params = {}) {
      const mine = ++id;
      return new Promise((resolve) => {
        const look = (): void => {
          const line = text.split('\n').find((part) => part.includes(`"id":${mine}`));
          if (line?.endsWith('}') !== true) return;
          waiting.splice(waiting.indexOf(look), 1);
          resolve(JSON.parse(line) as Answer);
        };
        waiting.push(look);
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`);
      });
    },
    async close() {
      input.end();
      await ended;
    },
  };
}

/** The first message of every client. */
export const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
