import { usageError } from '../../errors.ts';
import { localAddress } from '../local/folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The address of the fleet's database: `DATABASE_URL`, or that of the server which `ralph fleet up` started; else undefined. */
export function findAddress(env: Environment): string | undefined {
  const { DATABASE_URL: url } = env;
  if (url === undefined || url === '') return localAddress(env);
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw usageError(
    'DATABASE_URL is not the address of a PostgreSQL database.',
    'For example: DATABASE_URL=postgres://user:password@host:5432/database',
  );
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
