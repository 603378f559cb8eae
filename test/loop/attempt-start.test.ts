import { describe, expect, it } from 'vitest';
import { attemptStart } from '../../src/loop/attempt-start.ts';

const changes = {
  files: [{ path: 'a', kind: 'modified' as const, linesAdded: 1, linesDeleted: 1 }],
  linesAdded: 1,
  linesDeleted: 1,
  patch: 'a:  -> 1\n',
};

describe('what is said of earlier attempts', () => {
  it('calls a change neither absent nor present if a later kept attempt touched its file', () => {
    const attempt = (iteration: number, startedFrom: number) => ({ iteration, startedFrom, changes });
    expect(attemptStart([attempt(1, 0), attempt(2, 0)], 2)).toEqual({
      attempt: 2,
      kept: [2],
      present: [2],
      rolledBack: [{ attempt: 1, isAbsent: false }],
    });
    expect(attemptStart([attempt(1, 0), attempt(2, 1)], 2)).toMatchObject({ kept: [1, 2], present: [2] });
    expect(attemptStart([attempt(1, 0), attempt(2, 1)], 1)).toEqual({
      attempt: 1,
      kept: [1],
      present: [1],
      rolledBack: [{ attempt: 2, isAbsent: true }],
    });
  });
});
