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
  it('sends each step, and repeats the last one with growing figures', async () => {
    const { progress, params } = listening(0);
    progress.report('types: pass');
    await expect.poll(() => params().length).toBeGreaterThan(2);
    progress.report('tests: fail');
    progress.stop();
    const notifications = params() as { progressToken: number; progress: number; message: string }[];
    expect(notifications.map(({ progress: figure }) => figure)).toEqual(
      notifications.map((_, index) => index + 1),
    );
    expect(notifications[1]).toEqual({ progressToken: 0, progress: 2, message: 'types: pass' });
    expect(notifications.at(-1)).toMatchObject({ message: 'tests: fail' });
    await sleep(60);
    expect(params()).toHaveLength(notifications.length);
  });

  it('sends nothing without a progress token', async () => {
    const { progress, params } = listening();
    progress.report('types: pass');
    await sleep(60);
    expect(params()).toEqual([]);
  });

  it('ignores a disconnected client', async () => {
    const { progress, params } = listening('a', true);
    progress.report('types: pass');
    await expect.poll(() => params().length).toBeGreaterThan(1);
    progress.stop();
  });
});
