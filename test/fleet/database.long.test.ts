import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/fleet/database/database.ts';
import { migrate } from '../../src/fleet/database/migrate.ts';
import { MIGRATIONS } from '../../src/fleet/database/migrations.ts';
import { hasPostgres, testServer } from '../support/fleet.ts';
import { ralph } from '../support/ralph.ts';
import { temporaryFolder } from '../support/repositories.ts';

/** What `ralph queue stats` says with a database. */
async function stats(address: string): Promise<{ exitCode: number | null; stderr: string }> {
  return ralph(temporaryFolder(), ['queue', 'stats'], { env: { DATABASE_URL: address } });
}

describe.skipIf(!hasPostgres)('the database of a fleet', async () => {
  const server = hasPostgres ? await testServer() : undefined!;

  it('is named, with the remedy, if it cannot be used', async () => {
    const wrong = server.address.replace(/:[^:@/]+@/, ':wrong@');
    const refused = await stats(wrong);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toMatch(/refuses the user or the password/);
    expect(refused.stderr).not.toContain('wrong');
    expect((await stats(`${server.address}_none`)).stderr).toMatch(/has no such database/);
    await server.stop();
    const away = await stats(server.address);
    expect(away).toMatchObject({ exitCode: 4 });
    expect(away.stderr).toMatch(/There is no PostgreSQL at 127\.0\.0\.1[^]*ralph fleet up/);
    expect(await server.start()).toBe(server.address);
    expect(await stats(server.address)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('keeps its data when the file with its address is lost, and two processes start its server', async () => {
    await server.administer('CREATE TABLE kept AS SELECT 1 AS one');
    await server.stop();
    rmSync(server.addressFile);
    expect(await Promise.all([server.start(), server.start()])).toEqual([server.address, server.address]);
    await server.administer('DROP TABLE kept');
  });

  it('is listened to again after the server was away, on one connection', async () => {
    const listener = await openDatabase({ url: server.address, applicationName: 'listener' });
    let rings = 0;
    const stopListening = await listener.listen('bell', () => rings++);
    await server.stop();
    // Several tries to connect fail meanwhile.
    await sleep(3500);
    await server.start();
    while (rings === 0) await sleep(100);
    await listener.query(`SELECT pg_notify('bell', '')`);
    while (rings < 2) await sleep(100);
    const connections = await listener.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'listener' AND query LIKE 'LISTEN%'`,
    );
    expect(connections).toEqual([{ count: 1 }]);
    await stopListening();
    await listener.close();
  });

  it('is used after the upgrade of another machine only if the newer version allows it', async () => {
    const url = await server.freshDatabase();
    const database = await openDatabase({ url });
    const known = MIGRATIONS.at(-1)!.version;
    const next = { version: known + 1, oldest: known, sql: 'ALTER TABLE ralph.job ADD COLUMN added int' };
    await Promise.all([migrate(database, [...MIGRATIONS, next]), migrate(database, [...MIGRATIONS, next])]);
    expect(await stats(url)).toMatchObject({ exitCode: 0 });
    const strict = { version: known + 2, oldest: known + 2, sql: 'SELECT 1' };
    await migrate(database, [...MIGRATIONS, next, strict]);
    const refused = await stats(url);
    expect(refused).toMatchObject({ exitCode: 7 });
    expect(refused.stderr).toMatch(
      new RegExp(`version ${known + 2}; this ralph knows versions up to ${known}`),
    );
    await database.close();
  });

  it('has no part of a migration that fails', async () => {
    const database = await openDatabase({ url: await server.freshDatabase() });
    const known = MIGRATIONS.at(-1)!.version;
    const broken = {
      version: known + 1,
      oldest: 1,
      sql: 'CREATE TABLE ralph.half (a int); SELECT no_such_function()',
    };
    await expect(migrate(database, [...MIGRATIONS, broken])).rejects.toThrow(/no_such_function/);
    expect(await database.query("SELECT to_regclass('ralph.half') AS found")).toEqual([{ found: null }]);
    await migrate(database);
    await database.close();
  });
});
