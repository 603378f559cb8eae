import { describe, expect, it } from 'vitest';
import type { ModelFailureKind } from '../../../src/agents/llm/client.ts';
import type { TryFailure } from '../../../src/agents/llm/failures.ts';
import { ModelHealth } from '../../../src/agents/llm/health.ts';

function failure(kind: ModelFailureKind, transient: boolean): TryFailure {
  return { kind, message: 'It failed.', permanent: !transient, transient };
}

describe("a model's health", () => {
  it('is good at first', () => {
    const health = new ModelHealth();
    expect(health.failureOf('a/b')).toBeUndefined();
    expect(health.triesOf('a/b')).toBe(4);
  });

  it.each<ModelFailureKind>(['key', 'permission', 'not_found'])('is gone for good by %s', (kind) => {
    const health = new ModelHealth();
    health.note('a/b', failure(kind, false));
    expect(health.failureOf('a/b')?.kind).toBe(kind);
    expect(health.failureOf('a/c')).toBeUndefined();
  });

  it.each<ModelFailureKind>(['request', 'no_tools', 'reply', 'server'])('is not gone by %s', (kind) => {
    const health = new ModelHealth();
    health.note('a/b', failure(kind, false));
    expect(health.failureOf('a/b')).toBeUndefined();
    expect(health.triesOf('a/b')).toBe(4);
  });

  it('is worth one try where all tries of the last call failed, and more again once it has answered', () => {
    const health = new ModelHealth();
    health.note('a/b', failure('server', true));
    expect([health.triesOf('a/b'), health.triesOf('a/c')]).toEqual([1, 4]);
    health.note('a/b', undefined);
    expect(health.triesOf('a/b')).toBe(4);
  });
});
