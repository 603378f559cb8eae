import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openProgress } from '../../src/mcp/progress.ts';

type Sent = Parameters<Parameters<typeof openProgress>[0]['sendNotification']>[0];

function listening(progressToken?: string | number, fails = false) {
  const sent: Sent[] = [];
  const sendNotification = (notification: Sent): Promise<void> => {
    sent.push(notification);
    return fails ? Promise.reject(new Error('gone')) : Promise.resolve();
  };
  const progress = openProgress({ _meta: { progressToken }, sendNotification }, 20);
  return { progress, params: () => sent.map(({ params }) => params) };
}

describe('openProgress', () => {
  it('tells each step, and in between that the call still lasts, with figures that grow', async () => {
    const { progress, params } = listening(0);
    progress.tell('types: pass');
    await expect.poll(() => params().length).toBeGreaterThan(2);
    progress.tell('tests: fail');
    progress.stop();
    const told = params() as { progressToken: number; progress: number; message: string }[];
    expect(told.map(({ progress: figure }) => figure)).toEqual(told.map((_, index) => index + 1));
    expect(told[1]).toEqual({ progressToken: 0, progress: 2, message: 'types: pass' });
    expect(told.at(-1)).toMatchObject({ message: 'tests: fail' });
    await sleep(60);
    expect(params()).toHaveLength(told.length);
  });

  it('says nothing to a client that does not ask', async () => {
    const { progress, params } = listening();
    progress.tell('types: pass');
    await sleep(60);
    expect(params()).toEqual([]);
  });

  it('goes on where the client has gone', async () => {
    const { progress, params } = listening('a', true);
    progress.tell('types: pass');
    await expect.poll(() => params().length).toBeGreaterThan(1);
    progress.stop();
  });
});
