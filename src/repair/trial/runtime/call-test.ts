/** Loaded into the test process: calls the functions of tests and hooks as their runner does. */
import type { TrialPlan } from '../protocol.ts';
import { avaStandIn, isAvaContext } from './ava-test.ts';
import { isThenable, type Call } from './guards.ts';
import { callNodeTest, isNodeContext } from './node-test.ts';
import { callTapTest } from './tap-test.ts';

/** A function of the test file, and what the runner gives it. */
export interface PreparedCall {
  readonly call: Call;
  readonly self: unknown;
  readonly args: unknown[];
}

/** What the runner gives to the functions of tests. */
export interface CallPlan extends Pick<TrialPlan, 'callbacks'> {
  /** Tests get an object with assertions that do not throw. */
  readonly isTap: boolean;
}

/** Calls the function of a test, with stand-ins for the objects that remember its results. */
export function callTest({ call, self, args }: PreparedCall, plan: CallPlan): unknown {
  if (plan.isTap) return callTapTest(call, self, args);
  const [first, ...rest] = args;
  if (isAvaContext(first)) return invoke({ call, self, args: [avaStandIn(first), ...rest] }, plan);
  return isNodeContext(first)
    ? callNodeTest((context) => invoke({ call, self, args: [context, ...rest] }, plan), first)
    : invoke({ call, self, args }, plan);
}

/** Calls a function as it is; the result is a promise if the function takes a callback. */
export function invoke({ call, self, args }: PreparedCall, { callbacks }: CallPlan): unknown {
  if (!callbacks || call.length <= args.length) return call.apply(self, args);
  return new Promise((resolve, reject) => {
    const done = (error?: unknown): void => (error ? reject(error as Error) : resolve(undefined));
    const returned = call.apply(self, [...args, Object.assign(done, { fail: reject })]);
    if (isThenable(returned)) returned.then(undefined, reject);
  });
}
