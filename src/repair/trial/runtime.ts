/**
 * Loaded into the test process by the instrumented test file, which passes its tests, hooks and suites to this module;
 * the module runs every candidate on them. Nothing here and in `runtime/` may depend on objects that the tested code
 * can replace, such as the global clock and timers.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { claimNumber, createRecorder, type TrialPlan } from './protocol.ts';
import { isCall } from './runtime/guards.ts';
import type { HookKind } from './runtime/suites.ts';
import { TestFileSession } from './runtime/test-file-session.ts';
import type { TrialRealm } from './runtime/test-run.ts';

/** The functions that the instrumented test file calls; each returns a stand-in for the function that it is given. */
export interface Trials {
  /** `site` is the number of the call that declares the test. */
  test(site: number, call: unknown): unknown;
  hook(kind: HookKind, call: unknown): unknown;
  /** For the function of a suite. */
  scope(call: unknown): unknown;
}

/**
 * Starts the trials of one test file. `realm` is the global object that the tested code sees, `planFile` the absolute
 * path of a `TrialPlan`. `isTap`: tests get an object with assertions that do not throw. Throws if the plan cannot be
 * read.
 */
export function startTrials(realm: TrialRealm, planFile: string, isTap = false): Trials {
  // Compiling thousands of variants that each run a few times costs more than interpreting them.
  setFlagsFromString('--no-sparkplug');
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as TrialPlan;
  const number = claimNumber(plan);
  const recorder = createRecorder(plan, number);
  const session = new TestFileSession(realm, { ...plan, isTap, shard: number % plan.shards }, recorder);
  return {
    test: (site, call) => (isCall(call) ? session.test(site, call) : call),
    hook: (kind, call) => (isCall(call) ? session.hook(kind, call) : call),
    scope: (call) => (isCall(call) ? session.scope(call) : call),
  };
}
