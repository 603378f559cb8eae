/** Wire servers that end with the test. */
import { afterEach } from 'vitest';
import { startWireServer, type WireServer } from './index.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

export async function serve(script: Parameters<typeof startWireServer>[0]): Promise<WireServer> {
  const server = await startWireServer(script);
  servers.push(server);
  return server;
}
