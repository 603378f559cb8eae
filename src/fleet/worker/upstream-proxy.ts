type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that the worker's environment names. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
  /** With its password. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The proxy for a host by HTTPS_PROXY, HTTP_PROXY and NO_PROXY; undefined if it is reached without one. */
export function upstreamFor(host: string, isSecure: boolean, env: Environment): Upstream | undefined {
  const name = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = env[name.toLowerCase()] ?? env[name] ?? '';
  if (!/^http:\/\//.test(given) || !URL.canParse(given) || isExcepted(host, env)) return undefined;
  const { hostname, port, username, password } = new URL(given);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return {
    host: hostname,
    port: port === '' ? 80 : Number(port),
    headers: username === '' ? {} : { 'proxy-authorization': `Basic ${login.toString('base64')}` },
  };
}

function isExcepted(host: string, env: Environment): boolean {
  const names = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').toLowerCase().split(/[\s,]+/);
  const asked = host.toLowerCase();
  return names.some((name) => {
    const bare = name.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return name === '*' || (bare !== '' && (asked === bare || asked.endsWith(`.${bare}`)));
  });
}
