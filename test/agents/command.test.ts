import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCommandActor } from '../../src/agents/command.ts';
import { contextFor, createRepo } from '../support/repair-repo.ts';

const LONG = 60_000;

async function attempt(command: string, timeoutMs: number) {
  const root = createRepo({ 'a.txt': 'old\n' });
  const context = await contextFor(root, { checks: [] });
  return { root, trajectory: await createCommandActor({ command, timeoutMs }).attempt(context) };
}

it('ends a program that takes too long, with its children, and says which limit it was', async () => {
  const { root, trajectory } = await attempt('echo half > a.txt; echo working; sleep 60 & sleep 60', 300);
  expect(trajectory).toMatchObject({ outcome: 'timed_out', duration_ms: expect.any(Number) });
  expect(trajectory.message).toBe(
    'The command was ended: it was not finished after 300 ms (--agent-timeout DURATION changes it).\nworking',
  );
  expect(trajectory.actions[0]!.description).toContain('ended by ralph, it was not finished after 300 ms');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('half\n');
});

it('leaves a program alone that ends in time', async () => {
  const { trajectory } = await attempt('echo done', LONG);
  expect(trajectory).toMatchObject({ outcome: 'claimed_done', message: 'done' });
});
