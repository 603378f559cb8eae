import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { messageOf, usageError } from '../errors.ts';
import { findAddress } from '../fleet/database/address.ts';
import { send, textAnswer } from './answer.ts';
import { refuseRequest } from './check-request.ts';
import type { FleetReader } from './fleet-state.ts';
import { createLiveEvents } from './live-events.ts';
import { requireToken } from './require-token.ts';
import { createRoutes } from './routes.ts';

/** Options of `startServer`. */
export interface ServerOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** ralph's version. */
  readonly version: string;
  /** The fleet is shown where it has DATABASE_URL, or a server of `ralph fleet up`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signs the tokens without which nothing is shown; undefined: none is needed. */
  readonly secret?: string | undefined;
  /** Told problems of the server itself. */
  readonly warn: (text: string) => void;
}

/** A running server. */
export interface RunningServer {
  /** For example `http://127.0.0.1:7357/`. */
  readonly url: string;
  /** Ends it and closes open connections. */
  close(): Promise<void>;
}

/** Starts the read-only pages of a repository. Throws a usage error if the address cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { repositoryRoot, host, version, env, secret, warn } = options;
  const fleet = await openFleetReader(env);
  const fleetEvents =
    fleet && (await import('./fleet-events.ts')).createFleetEvents(() => fleet.connect(), warn);
  const live = createLiveEvents(repositoryRoot, warn);
  const frame = { repository: basename(repositoryRoot), version, hasFleet: fleet !== undefined };
  const answer = createRoutes({ repositoryRoot, frame, fleet, live, fleetEvents });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '/', headers } = request;
    const found = URL.parse(url, 'http://localhost');
    if (found === null) return send(response, textAnswer(400, 'The address is not valid.\n'));
    const asked = { method, path: found.pathname, host: headers.host, isLocked: secret !== undefined };
    const refusal = refuseRequest(asked, host);
    if (refusal !== undefined) return send(response, refusal);
    const { authorization, cookie } = headers;
    const locked =
      secret === undefined
        ? undefined
        : requireToken(secret, { url: found, authorization, cookie }, new Date());
    if (locked !== undefined) return send(response, locked);
    const answered = await answer(found, response);
    if (answered !== 'streamed') send(response, answered);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      warn(`${request.url?.split('?')[0]?.slice(0, 200)}: ${messageOf(error)}`);
      if (response.headersSent) response.destroy();
      else send(response, textAnswer(500, 'The page cannot be made; ralph serve has printed why.\n'));
    });
  });
  const port = await listen(server, options);
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`,
    async close() {
      live.close();
      await fleetEvents?.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await fleet?.close();
    },
  };
}

/** The database's modules are loaded only if there is a fleet. */
async function openFleetReader(env: ServerOptions['env']): Promise<FleetReader | undefined> {
  if (findAddress(env) === undefined) return undefined;
  return (await import('./fleet-state.ts')).createFleetReader(env);
}

function listen(server: Server, { port, host }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { port, host })));
    server.listen({ port, host }, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenError(error: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): Error {
  if (error.code === 'EADDRINUSE')
    return usageError(
      `--port ${port}: another program uses it on ${host}.`,
      'Give another, or 0 for any free one.',
    );
  if (error.code === 'EACCES')
    return usageError(`--port ${port}: only the administrator may use it.`, 'Give one of 1024 or more.');
  return usageError(
    `--host ${host}: this machine cannot listen there (${error.code ?? messageOf(error)}).`,
    'Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
  );
}
