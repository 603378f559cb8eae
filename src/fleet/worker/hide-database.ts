/** Variables that the programs of PostgreSQL read, such as PGPASSWORD. */
const OF_POSTGRES = /^PG[A-Z]+$/;

/**
 * Removes from an environment what gives access to the fleet's database: agents have the environment of the worker, as have git
 * and, without a sandbox, commands and checks. Variables of PostgreSQL that the worker passes on by name stay.
 */
export function hideDatabase(
  env: Record<string, string | undefined>,
  { passEnv = [] }: { readonly passEnv?: readonly string[] | undefined },
): void {
  const hidden = Object.keys(env).filter((name) => OF_POSTGRES.test(name) && !passEnv.includes(name));
  for (const name of ['DATABASE_URL', ...hidden]) Reflect.deleteProperty(env, name);
}
