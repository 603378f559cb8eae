import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A server on 127.0.0.1 that answers with the given listener only. */
export interface PlainServer {
  /** The origin, without a path. */
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** The number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function startPlainServer(answer: RequestListener): Promise<PlainServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume().on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers every request with the same reply. */
export function always(status: number, body: string, type = 'application/json'): RequestListener {
  return (_request, response) => void response.writeHead(status, { 'content-type': type }).end(body);
}
