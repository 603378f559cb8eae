import assert from 'node:assert/strict';
import { describe, expect, it, vi } from 'vitest';
import { callNodeTest, isNodeContext } from '../../../../src/repair/trial/runtime/node-test.ts';

/** As node:test has it: private members, and a plan that may be set once. */
class Context {
  #planned = false;
  readonly assert: Readonly<{ equal: (a: unknown, b: unknown) => void }> = Object.freeze({
    equal: assert.equal,
  });
  readonly mock = { reset: vi.fn() };
  diagnostic(): string {
    return '';
  }
  runOnly(): boolean {
    return false;
  }
  test(): Promise<void> {
    return Promise.resolve();
  }
  plan(): void {
    if (this.#planned) throw new Error('cannot set plan more than once');
    this.#planned = true;
  }
}

const run = (body: (t: Context) => unknown, context = new Context()): unknown =>
  callNodeTest((stand) => body(stand as Context), context);

function plan(t: Context, count: number): void {
  (t.plan as (count: number) => void)(count);
}

describe('callNodeTest', () => {
  it('lets a test plan in each of its runs', () => {
    const context = new Context();
    const body = (t: Context): void => {
      plan(t, 1);
      t.assert.equal(1, 1);
    };
    run(body, context);
    expect(() => run(body, context)).not.toThrow();
  });

  it('fails where fewer or more assertions are made than planned', async () => {
    expect(() => run((t) => plan(t, 1))).toThrow('plan of 1 assertions, 0 made');
    const twice = async (t: Context): Promise<void> => {
      plan(t, 1);
      await t.test();
      t.assert.equal(1, 1);
    };
    await expect(run(twice)).rejects.toThrow('plan of 1 assertions, 2 made');
  });

  it('passes on values and failures, and restores mocks', async () => {
    const context = new Context();
    expect(run(({ mock }) => (mock === context.mock ? 5 : 0), context)).toBe(5);
    expect(() => run(({ mock, assert: { equal } }) => equal(mock === undefined, true), context)).toThrow(
      assert.AssertionError,
    );
    await expect(
      run(({ mock }) => Promise.reject(new Error(String(mock === undefined))), context),
    ).rejects.toThrow('false');
    expect(context.mock.reset).toHaveBeenCalledTimes(3);
  });
});

describe('isNodeContext', () => {
  it('knows the object of node:test from those of other runners', () => {
    expect(isNodeContext(new Context())).toBe(true);
    expect([undefined, null, {}, { plan: () => 0, end: () => 0 }].some(isNodeContext)).toBe(false);
  });
});
