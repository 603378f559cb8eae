import { describe, expect, it } from 'vitest';
import { openFleet } from '../../src/fleet/queue/open-fleet.ts';
import { registerWorker } from '../../src/fleet/queue/workers.ts';
import { createFleetReader } from '../../src/serve/fleet-state.ts';
import { renderFleet } from '../../src/serve/fleet-page.ts';
import { hasPostgres, testServer } from '../support/fleet.ts';

describe.skipIf(!hasPostgres)('the fleet on the pages', () => {
  it('makes no tables in an empty database, and shows workers as text once they are there', async () => {
    const { address: url } = await testServer();
    const reader = createFleetReader({ DATABASE_URL: url });
    expect(await reader.read(10)).toContain('has no tables of a fleet yet');
    expect(await reader.read(10)).toContain('has no tables of a fleet yet');

    const fleet = await openFleet({ env: {}, url });
    const worker = {
      id: '00000000-0000-4000-8000-000000000001',
      name: '<b>one',
      labels: ['gpu'],
      concurrency: 3,
    };
    await registerWorker(fleet.database, worker);
    const state = await reader.read(10);
    expect(state).toMatchObject({ counts: {}, jobs: [], workers: [{ name: '<b>one', running: 0 }] });
    const page = renderFleet({ repository: 'r', version: '1', hasFleet: true }, state);
    expect(page).toContain('&lt;b&gt;one');
    expect(page).toContain('0 of 3');
    await fleet.close();
    await reader.close();
  });
});
