import { attacksOf, node } from './attack.ts';

const wait = 'setTimeout(() => process.exit(), 150)';
const connect = (to: string): string =>
  node(`const s = net.connect(${to}); s.on("error", () => {}); s.write("x"); ${wait}`);
/** A DNS query for `secret.test`, in hexadecimal (RFC 1035, section 4). */
const QUERY = '000101000001000000000000067365637265740474657374000001 0001'.replace(' ', '');

/** Attacks on services through Unix sockets. */
export const SOCKETS = attacksOf('socket', {
  'a service in a folder that is not hidden': connect('process.env.OUTSIDE + "/socket"'),
  'a service in the home': connect('process.env.VICTIM_HOME + "/socket"'),
  'a service among the temporary files': connect('process.env.OTHER_TMP + "/socket"'),
  'a service with an abstract address': connect('"\\0" + process.env.ABSTRACT'),
  'a service by a link in the workspace': `ln -s "$OUTSIDE/socket" s; ${connect('"s"')}`,
});

/** Attacks on services through the network. */
export const NETWORK = attacksOf('network', {
  'a port of the machine': connect('process.env.TCP_PORT, "127.0.0.1"'),
  'a port of the machine by name': connect('process.env.TCP_PORT, "localhost"'),
  'a port of the machine over IPv6': connect('process.env.TCP6_PORT, "::1"'),

  'a request over HTTP': node('fetch("http://127.0.0.1:" + process.env.TCP_PORT).catch(() => {})'),
  'a datagram': node(
    `const s = dgram.createSocket("udp4"); s.on("error", () => {}); s.send("x", process.env.UDP_PORT, "127.0.0.1", () => {}); ${wait}`,
  ),
  'a query to a name server': node(
    `const s = dgram.createSocket("udp4"); s.on("error", () => {}); s.send(Buffer.from("${QUERY}", "hex"), process.env.UDP_PORT, "127.0.0.1", () => {}); ${wait}`,
  ),
  'a query to a name server by the resolver': node(
    `const r = new dns.Resolver({ timeout: 100, tries: 1 }); r.setServers(["127.0.0.1:" + process.env.UDP_PORT]); r.resolve4("secret.test", () => {}); ${wait}`,
  ),
});
