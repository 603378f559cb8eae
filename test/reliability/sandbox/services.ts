import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Listening services: Unix sockets in the file system, an abstract socket, ports of the loopback. */
export interface Services {
  /** Environment variables with the addresses of the services, apart from `paths`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Number of connections and datagrams received. */
  visits(): number;
  close(): Promise<void>;
}

/** Starts the services. `paths` are absolute paths of Unix sockets. */
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
  const abstract = `ralph-testbed-${process.pid}-${performance.now()}`;
  await listen({ path: `\0${abstract}` });
  const datagrams = createSocket('udp4', visited).bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  return {
    variables: {
      ABSTRACT: abstract,
      TCP_PORT: String(await listen({ host: '127.0.0.1', port: 0 })),
      TCP6_PORT: String(await listen({ host: '::1', port: 0, ipv6Only: true })),
      ANY_PORT: String(await listen({ host: '0.0.0.0', port: 0 })),
      MACHINE_ADDRESS: machineAddress(),
      UDP_PORT: String(datagrams.address().port),
    },
    visits: () => visits,
    async close() {
      datagrams.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** First IPv4 address of the machine that is not the loopback; the loopback address if there is none. */
function machineAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
