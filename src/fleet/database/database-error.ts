import { ExitCode, RalphError, messageOf } from '../../errors.ts';

/** Codes of the system and of PostgreSQL (appendix A of its manual) for a server that is away, starting or ending. */
const AWAY: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ...['57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '53300'],
]);

/** True if the server cannot be reached now, so that the same statement may succeed later. */
function isAway(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  if (code !== undefined) return AWAY.has(code);
  return /terminated|timeout exceeded|Connection ended|not queryable|ended unexpectedly/i.test(
    messageOf(error),
  );
}

/** True if the same statement may succeed later: the server is away or full, or another transaction was in the way. */
export function isPassing(error: unknown): boolean {
  return isAway(error) || isConflict(error) || isFull(error);
}

/** True for an error of the server or of the way to it, which is none of this program. */
export function isOfDatabase(error: unknown): boolean {
  const { code = '', severity } = error as { readonly code?: string; readonly severity?: string };
  return isPassing(error) || (severity !== undefined && /^[0-9A-Z]{5}$/.test(code));
}

/** True for a transaction that another one was in the way of: it may be repeated. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes((error as { readonly code?: string }).code ?? '');
}

/** True if the server has no room left on its disk. */
function isFull(error: unknown): boolean {
  return ['53100', '53200'].includes((error as { readonly code?: string }).code ?? '');
}

/** The RalphError for a failure of the database at `place`, with a remedy. A RalphError is returned as it is. */
export function databaseError(error: unknown, place: string): RalphError {
  if (error instanceof RalphError) return error;
  const { code = '' } = error as { readonly code?: string };
  const fail = (message: string, exitCode: ExitCode, hint: string): RalphError =>
    new RalphError(message, { code: 'database_failed', exitCode, hint, cause: error });
  if (code === '28P01' || code === '28000')
    return fail(
      `PostgreSQL at ${place} refuses the user or the password.`,
      ExitCode.usage,
      'Correct DATABASE_URL: postgres://user:password@host:port/database',
    );
  if (code === '3D000')
    return fail(
      `PostgreSQL at ${place} has no such database.`,
      ExitCode.usage,
      'Create it (createdb NAME), or correct the name in DATABASE_URL.',
    );
  if (isFull(error))
    return fail(
      `PostgreSQL at ${place} has no room: ${messageOf(error)}`,
      ExitCode.state,
      'Free space on the server; nothing that was acknowledged is lost.',
    );
  if (code === '42501')
    return fail(
      `The user of DATABASE_URL may not do this at ${place}: ${messageOf(error)}`,
      ExitCode.usage,
      'Use the owner of the database, who may also permit the memory of one organisation: ralph fleet grant ROLE ORGANISATION',
    );
  if (code === '53300')
    return fail(
      `PostgreSQL at ${place} has no connection left: ${messageOf(error)}`,
      ExitCode.workspace,
      'Start fewer workers, raise max_connections on the server, or put PgBouncer in session mode before it. A worker keeps --concurrency + 4 connections.',
    );
  if (/does not support SSL|certificate|self-signed|SSL routines/i.test(messageOf(error)))
    return fail(
      `No encrypted connection to PostgreSQL at ${place}: ${messageOf(error)}`,
      ExitCode.usage,
      'Correct sslmode in DATABASE_URL (…?sslmode=disable, or no-verify for a certificate of your own), or turn on TLS on the server.',
    );
  if (isAway(error))
    return fail(
      `There is no PostgreSQL at ${place}: ${describe(error)}`,
      ExitCode.workspace,
      'Start it, or correct DATABASE_URL. For a server of your own on this machine: ralph fleet up',
    );
  return fail(
    `PostgreSQL at ${place}: ${describe(error)}`,
    ExitCode.state,
    'RALPH_DEBUG=1 prints the stack trace.',
  );
}

/** An AggregateError of several addresses has an empty message. */
function describe(error: unknown): string {
  const { code } = error as { readonly code?: string };
  return messageOf(error) || (code ?? 'it cannot be reached');
}
