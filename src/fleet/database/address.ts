import { usageError } from '../../errors.ts';
import { localAddress } from '../local/folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The address of the fleet's database: `DATABASE_URL`, or that of the server which `ralph fleet up` started; else undefined. */
export function findAddress(env: Environment): string | undefined {
  const { DATABASE_URL: url } = env;
  if (url === undefined || url === '') return localAddress(env);
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw usageError(
    `DATABASE_URL is not the address of a PostgreSQL database: ${problemOf(url)}.`,
    'For example: DATABASE_URL=postgres://user:password@host:5432/database',
  );
}

/** Says nothing of what stands in it: the password is a part of it. */
function problemOf(url: string): string {
  const [, scheme] = /^([a-z][\w+.-]*):\/\//i.exec(url) ?? [];
  if (scheme === undefined) return 'it does not begin with postgres://';
  if (!/^postgres(?:ql)?$/.test(scheme)) return `it begins with ${scheme}://, not with postgres://`;
  if (/:\d{6,}|:[6-9]\d{4}(?!\d)/.test(url)) return 'its port is not from 1 to 65535';
  return 'a character of the user or the password is not encoded, such as %23 for #, %2F for / and %40 for @';
}

/** As `findAddress`, but throws a usage error if there is no database. */
export function requireAddress(env: Environment): string {
  const url = findAddress(env);
  if (url !== undefined) return url;
  throw usageError(
    'There is no database for a fleet: DATABASE_URL is not set, and no server of ralph runs on this machine.',
    'Set DATABASE_URL=postgres://user:password@host:5432/database, or start a server for trying: ralph fleet up\nOn one machine none is needed: ralph run --tasks FILE --parallel 4',
  );
}
