import { usageError } from '../../errors.ts';
import { findAddress } from '../../fleet/database/address.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import { version } from '../../platform/version.ts';
import { isLoopback } from '../../serve/check-request.ts';
import { startServer } from '../../serve/server.ts';
import { createToken, LEAST_SECRET_CHARS, SERVE_ROLES } from '../../serve/token.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printError, printWarning } from '../messages.ts';

const DEFAULT_PORT = 7357;
const DEFAULT_HOST = '127.0.0.1';

/** `ralph serve`: serves until SIGINT or SIGTERM, which close open connections. */
export async function serveCommand(options: {
  readonly port?: string;
  readonly host?: string;
}): Promise<void> {
  const port = options.port === undefined ? DEFAULT_PORT : parsePort(options.port);
  const { host = DEFAULT_HOST } = options;
  if (host.trim() === '') throw usageError('--host is empty.', 'For example: --host 127.0.0.1');
  const secret = secretFrom(process.env);
  if (!isLoopback(host) && secret === undefined)
    throw usageError(
      `--host ${host}: other machines could read this repository's loops, and RALPH_SERVE_SECRET is not set.`,
      `Set it to ${LEAST_SECRET_CHARS} random characters or more, and make tokens with: ralph serve token`,
    );
  const repositoryRoot = rootFor(process.cwd());
  const interruption = listenForInterrupts(printError, 1);
  try {
    const server = await startServer({
      ...{ repositoryRoot, port, host, version: version(), env: process.env, secret },
      warn: printWarning,
    });
    process.stdout.write(`${printable(redact(repositoryRoot))}: ${server.url} (Ctrl-C ends it)\n`);
    await new Promise<void>((resolve) => {
      if (interruption.signal.aborted) resolve();
      else interruption.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await server.close();
    process.exitCode = interruption.exitCode();
  } finally {
    interruption.close();
  }
}

/** `ralph serve token`. */
export function tokenCommand(options: { readonly role: string; readonly expires: string }): void {
  const secret = secretFrom(process.env);
  if (secret === undefined)
    throw usageError(
      'RALPH_SERVE_SECRET is not set: it signs the tokens.',
      'Set the same value as for ralph serve, for example the output of: openssl rand -hex 32',
    );
  const role = SERVE_ROLES.find((one) => one === options.role);
  if (role === undefined)
    throw usageError(`--role ${options.role} is not a role.`, `Roles: ${SERVE_ROLES.join(', ')}.`);
  const days = Number(/^(\d{1,4})d$/.exec(options.expires)?.[1]);
  if (!(days >= 1))
    throw usageError(
      `--expires ${options.expires} is not a number of days from 1d to 9999d.`,
      'For example: --expires 30d',
    );
  const expires = Math.floor(Date.now() / 1000) + days * 86_400;
  // Not through the redaction of output: the token is what was asked for.
  process.stdout.write(`${createToken(secret, { role, expires })}\n`);
}

function secretFrom({
  RALPH_SERVE_SECRET: secret = '',
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (secret === '') return undefined;
  if (secret.length >= LEAST_SECRET_CHARS) return secret;
  throw usageError(
    `RALPH_SERVE_SECRET has ${secret.length} characters; it needs ${LEAST_SECRET_CHARS} or more.`,
    'For example the output of: openssl rand -hex 32',
  );
}

/** With a fleet, no repository is needed: the local pages are empty. */
function rootFor(cwd: string): string {
  try {
    return findRepositoryRoot(cwd);
  } catch (error) {
    if (findAddress(process.env) !== undefined) return cwd;
    throw error;
  }
}

function parsePort(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw usageError(
    `--port ${text}: it must be a whole number, from 0 to 65535.`,
    'With 0, a free port is chosen.',
  );
}
