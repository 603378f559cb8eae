import { describe, expect, it } from 'vitest';
import { avaStandIn, isAvaContext } from '../../../../src/repair/trial/runtime/ava-test.ts';

type Assertions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** As in ava 3: assertions return nothing, whether they hold or not; only `throws` returns what was thrown. */
const ava3 = {
  title: 'a test',
  teardown: () => undefined,
  ...Object.fromEntries(
    ['is', 'deepEqual', 'truthy', 'falsy', 'like', 'regex', 'pass', 'fail'].map((name) => [
      name,
      () => undefined,
    ]),
  ),
  throws(call: () => unknown): unknown {
    try {
      call();
    } catch (error) {
      return error;
    }
    return undefined;
  },
  notThrows(call: () => unknown): void {
    try {
      call();
    } catch {
      return;
    }
  },
  async notThrowsAsync(call: () => Promise<unknown>): Promise<void> {
    await call().catch(() => undefined);
  },
};
const t = avaStandIn(ava3) as Assertions;
const boom = (): never => {
  throw new Error('boom');
};

describe('avaStandIn', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['is', [1, 1], [1, 2]],
    ['deepEqual', [{ a: [1] }, { a: [1] }], [{ a: [1] }, { a: [2] }]],
    ['truthy', ['a'], ['']],
    ['falsy', [0], [1]],
    ['regex', ['abc', /b/], ['abc', /d/]],
    ['throws', [boom], [() => 1]],
    ['notThrows', [() => 1], [boom]],
  ])('throws where %s fails', (name, holds, fails) => {
    expect(() => t[name]!(...holds)).not.toThrow();
    expect(() => t[name]!(...fails)).toThrow(name);
  });

  it('rejects where an assertion of a promise fails', async () => {
    await t.notThrowsAsync!(() => Promise.resolve(1));
    await expect(t.notThrowsAsync!(() => Promise.reject(new Error('boom')))).rejects.toThrow(
      'notThrowsAsync',
    );
  });

  it('believes a runner whose assertions return false, or throw', () => {
    expect(() => (avaStandIn({ ...ava3, is: () => false }) as Assertions).is!(1, 1)).toThrow('is');
    expect(() => (avaStandIn({ ...ava3, is: () => true }) as Assertions).is!(1, 2)).not.toThrow();
    expect(() => (avaStandIn({ ...ava3, is: boom }) as Assertions).is!(1, 1)).toThrow('boom');
  });

  it('keeps everything else of the object', () => {
    expect([(t as unknown as typeof ava3).title, t.pass!()]).toEqual(['a test', undefined]);
    expect(isAvaContext(ava3)).toBe(true);
    expect(isAvaContext({ is: boom })).toBe(false);
  });
});
