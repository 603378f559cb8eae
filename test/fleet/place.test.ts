import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkerPlace } from '../../src/fleet/worker/place.ts';
import { requireSandbox } from '../../src/fleet/worker/require-sandbox.ts';
import { temporaryFolder } from '../support/repositories.ts';

it('names a folder of the worker in which nothing can be made, and does not wait for it', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const folder of ['/proc/x', file, '/dev/null'])
    expect(() => openWorkerPlace(folder, {})).toThrow(
      expect.objectContaining({ exitCode: 4, message: expect.stringContaining(folder) as string }),
    );
  expect(openWorkerPlace(join(temporaryFolder(), 'new', 'one'), {}).mirror('x')).toContain(
    '/new/one/mirrors/',
  );
});

it('names an opened path that the machine does not have before a job is taken; a relative one is of the job', async () => {
  const folder = temporaryFolder();
  const off = { sandbox: 'off' } as const;
  for (const key of ['sandboxRead', 'sandboxWrite'] as const)
    await expect(requireSandbox(folder, { ...off, [key]: [folder, '/no/such/place'] })).rejects.toMatchObject(
      {
        exitCode: 2,
        message: expect.stringContaining('/no/such/place') as string,
      },
    );
  await requireSandbox(folder, { ...off, sandboxRead: [folder, 'fixtures', '~'] });
});
