import { describe, expect, it } from 'vitest';
import type { ModelFailureKind } from '../../../src/agents/llm/client.ts';
import type { TryFailure } from '../../../src/agents/llm/failures.ts';
import { ModelHealth } from '../../../src/agents/llm/model-health.ts';

function failure(kind: ModelFailureKind, transient: boolean): TryFailure {
  return { kind, message: 'It failed.', permanent: !transient, transient };
}

describe('ModelHealth', () => {
  it('allows all tries without a failure', () => {
    const health = new ModelHealth();
    expect(health.failureOf('a/b')).toBeUndefined();
    expect(health.triesOf('a/b')).toBe(4);
  });

  it.each<ModelFailureKind>(['key', 'permission', 'not_found'])('keeps the permanent failure %s', (kind) => {
    const health = new ModelHealth();
    health.note('a/b', 'actor', failure(kind, false));
    expect(health.failureOf('a/b')?.kind).toBe(kind);
    expect(health.failureOf('a/c')).toBeUndefined();
  });

  it.each<ModelFailureKind>(['request', 'no_tools', 'reply', 'server'])(
    'allows all tries after the failure %s',
    (kind) => {
      const health = new ModelHealth();
      health.note('a/b', 'actor', failure(kind, false));
      expect(health.failureOf('a/b')).toBeUndefined();
      expect(health.triesOf('a/b')).toBe(4);
    },
  );

  it('allows one try after a transient failure, and all tries after an answer', () => {
    const health = new ModelHealth();
    health.note('a/b', 'actor', failure('server', true));
    expect([health.triesOf('a/b'), health.triesOf('a/c')]).toEqual([1, 4]);
    health.note('a/b', 'actor', undefined);
    expect(health.triesOf('a/b')).toBe(4);
  });
});
