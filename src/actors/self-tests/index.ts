import type { ModelClient } from '../../llm/client.ts';
import type { AttemptContext } from '../../ports.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { SelfTests, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { runSelfTests } from './run-self-tests.ts';
import { writeSelfTests, type WrittenTests } from './write-self-tests.ts';

/** Self-written tests of one loop: made once, asked after whenever the actor says it is done. */
export interface SelfTester {
  /** Writes them before the first attempt where nothing fails. Returns what that took. */
  prepare(context: AttemptContext): Promise<Usage>;
  /** What the actor is told about tests that fail; undefined: none does, or there are none. */
  review(context: AttemptContext): Promise<string | undefined>;
  /** How they stand at the end of an attempt. */
  result(): SelfTests | undefined;
}

/** They help the actor to see how far it is; the verdict never rests on them where the repository has tests. */
export function createSelfTester(client: ModelClient, repository: string): SelfTester {
  let tests: WrittenTests | undefined;
  let last: SelfTests | undefined;
  return {
    async prepare(context) {
      const red = context.evaluation.diagnostics.some(({ severity }) => severity === 'error');
      if (red || context.iteration > 1) return NO_USAGE;
      const written = await writeSelfTests(context, client, repository);
      tests = written.tests;
      return written.usage ?? NO_USAGE;
    },
    async review(context) {
      if (tests === undefined) return undefined;
      context.onProgress('running the self-written tests');
      const { passed, failures } = await runSelfTests(context, tests);
      const { count, file } = tests;
      last = { file, written: count, passed };
      if (passed === count) return undefined;
      return renderPrompt(
        'self-tests-failed',
        { written: count, failed: count - passed, failures },
        repository,
      );
    },
    result: () => last,
  };
}
