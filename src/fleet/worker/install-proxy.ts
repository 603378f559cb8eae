import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { reachOfHost, type Reach } from './install-hosts.ts';
import { upstreamFor, type Upstream } from './upstream-proxy.ts';

/** The only way of an install to the network. */
export interface InstallProxy {
  /** Absolute path of the socket on which it listens. */
  readonly socket: string;
  /** Sentences on what it refused, or could not reach. */
  readonly problems: () => readonly string[];
  close(): void;
}

export interface InstallProxyOptions {
  /** `host:port` of the servers that are reached wherever they are. */
  readonly named: ReadonlySet<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** Opens a proxy that reaches what `reachOfHost` permits, by the proxy of the environment if there is one. */
export async function openInstallProxy({ named, env }: InstallProxyOptions): Promise<InstallProxy> {
  const socket = join(makeTemporaryFolder('install'), 'proxy');
  const problems = new Set<string>();
  const sockets = new Set<Duplex>();

  const route = async ({ host, port }: Target, isSecure: boolean): Promise<Route | undefined> => {
    const upstream = upstreamFor(host, isSecure, env);
    const reach: Reach = await reachOfHost(host, port, named);
    // A name that only the proxy of the environment can resolve is for its rules.
    if ('away' in reach && upstream !== undefined) return { host, port, upstream };
    if ('address' in reach) return { host: upstream === undefined ? reach.address : host, port, upstream };
    const why =
      'refused' in reach
        ? `${host}:${port} is not reached, because ${reach.refused}, and the worker does not name it as a registry (npm_config_registry).`
        : `${host}:${port} is not reached: ${reach.away}.`;
    problems.add(why);
    return undefined;
  };
  const failed = ({ host, port }: Target, error: Error): void =>
    void problems.add(`${host}:${port} is not reached: ${error.message}.`);

  const server = createServer((asked, answer) => void pass(asked, answer));
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url!) : undefined;
    if (url?.protocol !== 'http:') return void answer.writeHead(400).end();
    const target = { host: url.hostname, port: url.port === '' ? 80 : Number(url.port) };
    const found = await route(target, false);
    if (found === undefined) return void answer.writeHead(403).end('The worker does not permit this host.\n');
    const { upstream } = found;
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = asked.headers;
    const place = upstream ?? { host: found.host, port: found.port, headers: {} };
    const sent = request({
      ...{ host: place.host, port: place.port, method: asked.method, agent: false },
      path: upstream === undefined ? `${url.pathname}${url.search}` : url.href,
      headers: { ...headers, ...place.headers },
    });
    sent.on('response', (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    sent.on('error', (error) => {
      failed(target, error);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    });
    asked.pipe(sent);
  };
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    void tunnel(targetOf(asked.url ?? ''), client, head);
  });
  const tunnel = async (target: Target | undefined, client: Duplex, head: Buffer): Promise<void> => {
    const found = target === undefined ? undefined : await route(target, true);
    if (found === undefined) return void client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    const remote = connectTo(found);
    remote.on('error', (error) => {
      failed(target!, error);
      client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    });
    remote.once('connect', () => {
      // A proxy of the environment answers itself.
      if (found.upstream === undefined) client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      remote.write(head);
      remote.pipe(client).pipe(remote);
    });
    client.once('close', () => remote.destroy());
  };
  server.on('connection', (client) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    socket,
    problems: () => [...problems],
    close() {
      server.close();
      for (const client of sockets) client.destroy();
    },
  };
}

interface Route extends Target {
  readonly upstream: Upstream | undefined;
}

/** A connection to a server; that to a proxy has asked for the server. */
function connectTo({ host, port, upstream }: Route): Socket {
  if (upstream === undefined) return connect({ host, port });
  const remote = connect({ host: upstream.host, port: upstream.port });
  const lines = Object.entries(upstream.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  remote.once('connect', () =>
    remote.write(`CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}:${port}\r\n${lines.join('')}\r\n`),
  );
  return remote;
}

/** `host:port` as CONNECT has it. */
function targetOf(text: string): Target | undefined {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:/@\s]+):(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}
