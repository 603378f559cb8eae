import type { Bench, Check } from '../ports.ts';
import type { CheckRequest, Narrowing } from '../ports/evaluation.ts';
import { inOwnFolder, requestFor, runSafely, setupPlans, type CheckSettings } from './requests.ts';
import { runUntilGreen } from './narrow/until-green.ts';
import { createTestIds } from './results/test-ids.ts';
import { runSharedSetup } from './run/setup.ts';

/** The checks of a project in one tree; `root` is its absolute path. */
export interface BenchOptions extends CheckSettings {
  readonly root: string;
}

/** Runs single checks, with all or with selected tests. Setup commands run before every check unless it skips them. */
export function createBench(options: BenchOptions): Bench {
  const ids = createTestIds(options.checks);
  return {
    testsOf: ids.ownedBy,
    async run(name, narrowing) {
      const check = options.checks.find(({ plan }) => plan.name === name);
      if (check === undefined) throw new Error(`The project has no check called ${name}.`);
      const only = narrowing.only === undefined ? undefined : ids.bare(name, narrowing.only);
      const request = narrowedRequest(options, { ...narrowing, only });
      const plans = narrowing.skipSetup === true ? [] : setupPlans(options, [check]);
      const failedSetup = await runSharedSetup(plans, request);
      const { times = 1 } = narrowing;
      const run: Check['run'] = (asked) =>
        times > 1 ? runUntilGreen(check, asked, times) : check.run(asked);
      const report = failedSetup.get(name) ?? runSafely({ ...check, run }, inOwnFolder(check, request));
      return ids.publish(await report);
    },
  };
}

function narrowedRequest(
  options: BenchOptions,
  { files, only, timeoutMs, memoryMb, loadsOwn, plainFiles, writable, signal }: Narrowing,
): CheckRequest {
  const request = requestFor(options, { root: options.root, signal });
  const limits = { timeoutMs: timeoutMs ?? request.timeoutMs, memoryMb };
  return { ...request, ...limits, loadsOwn, plainFiles, writable, files, only };
}
