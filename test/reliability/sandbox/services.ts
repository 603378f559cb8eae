import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';

/** Programs of the user that listen: in the file system, at an abstract address, on ports of the loopback. */
export interface Services {
  readonly variables: Readonly<Record<string, string>>;
  /** How often anybody has come. */
  visits(): number;
  close(): Promise<void>;
}

export async function startServices(paths: readonly string[]): Promise<Services> {
  let visits = 0;
  const visited = (): void => {
    visits++;
  };
  const servers: Server[] = [];
  const listen = async (where: ListenOptions): Promise<number> => {
    const server = createServer((socket) => {
      visited();
      socket.on('error', () => {});
      socket.destroy();
    });
    servers.push(server.listen(where));
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' ? (address as AddressInfo).port : 0;
  };
  for (const path of paths) await listen({ path });
  const abstract = `ralph-ground-${process.pid}-${performance.now()}`;
  await listen({ path: `\0${abstract}` });
  const datagrams = createSocket('udp4', visited).bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  return {
    variables: {
      ABSTRACT: abstract,
      TCP_PORT: String(await listen({ host: '127.0.0.1', port: 0 })),
      TCP6_PORT: String(await listen({ host: '::1', port: 0, ipv6Only: true })),
      UDP_PORT: String(datagrams.address().port),
    },
    visits: () => visits,
    async close() {
      datagrams.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
