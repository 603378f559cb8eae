import { describe, expect, it } from 'vitest';
import { adviseOnSandbox } from '../../src/compose/sandbox-advice.ts';
import type { RunEvent } from '../../src/events.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';

const SANDBOX = { engine: 'bubblewrap' } as Sandbox;

function finished(message: string): RunEvent {
  return { type: 'actor_finished', iteration: 1, trajectory: { message } } as RunEvent;
}

function adviceOn(messages: readonly string[], sandbox: Sandbox | undefined = SANDBOX): string[] {
  const told: string[] = [];
  const emit = adviseOnSandbox(sandbox, (event) => {
    if (event.type === 'warning') told.push(event.text);
  });
  for (const message of messages) emit(finished(message));
  return told;
}

describe('advice on the sandbox', () => {
  it.each([
    ['getaddrinfo EAI_AGAIN api.example.test', '--allow-network'],
    ['curl: (6) Could not resolve host: example.test', '--allow-network'],
    ["EROFS: read-only file system, open '/srv/x'", '--sandbox-write'],
  ])('names the flag where somebody says: %s', (message, flag) => {
    expect(adviceOn([message])).toEqual([expect.stringContaining(flag)]);
  });

  it('is given once, and not without a sign of it', () => {
    expect(adviceOn(['ENETUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])).toHaveLength(1);
    expect(adviceOn(['AssertionError: 1 !== 2'])).toEqual([]);
  });

  it('is not given where there is no sandbox', () => {
    const told: RunEvent[] = [];
    adviseOnSandbox(undefined, (event) => told.push(event))(finished('ENETUNREACH'));
    expect(told).toHaveLength(1);
  });
});
