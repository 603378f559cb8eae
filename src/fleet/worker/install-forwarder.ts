/**
 * Runs in the sandbox of an install, which has a loopback interface of its own and nothing else:
 * `install-forwarder SOCKET FILE ARGS…` starts a program with the address of a proxy, and passes its connections on to the socket.
 */
import { spawn } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { constants } from 'node:os';

const [socket = '', file = '', ...args] = process.argv.slice(2);

const clients = new Set<Socket>();
const server = createServer((client) => {
  clients.add(client);
  const proxy = connect(socket);
  client.pipe(proxy).pipe(client);
  client.on('error', () => proxy.destroy());
  client.once('close', () => clients.delete(client));
  proxy.on('error', () => client.destroy());
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...settings(port) } });
  child.on('error', ({ message }) => {
    process.stderr.write(`${message}\n`);
    end(127);
  });
  child.on('exit', (code, signal) => end(signal === null ? code! : 128 + constants.signals[signal]));
});

function end(exitCode: number): void {
  process.exitCode = exitCode;
  server.close();
  for (const client of clients) client.destroy();
}

/** The same address under each name that package managers and git read; none of them reaches anything beside it. */
function settings(port: number): Record<string, string> {
  const address = `http://127.0.0.1:${port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy'];
  const more = ['npm_config_https_proxy', 'YARN_HTTP_PROXY', 'YARN_HTTPS_PROXY'];
  return {
    ...Object.fromEntries([...names, ...more].map((name) => [name, address])),
    ...{ NO_PROXY: '', no_proxy: '', npm_config_noproxy: '' },
  };
}
