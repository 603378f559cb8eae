import { usageError } from '../../errors.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { printable } from '../../platform/text/printable.ts';
import { version } from '../../platform/version.ts';
import { isLoopback } from '../../serve/check-request.ts';
import { startServer } from '../../serve/server.ts';
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
  const repositoryRoot = findRepositoryRoot(process.cwd());
  const interruption = listenForInterrupts(printError, 1);
  try {
    const server = await startServer({
      ...{ repositoryRoot, port, host, version: version(), env: process.env },
      warn: printWarning,
    });
    if (!isLoopback(host))
      printWarning(`--host ${host}: everyone who can reach this address can read this repository's loops.`);
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

function parsePort(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw usageError(
    `--port ${text}: it must be a whole number, from 0 to 65535.`,
    'With 0, a free port is chosen.',
  );
}
