import { messageOf } from '../../errors.ts';
import type { ModelClient } from '../llm/client.ts';
import type { AttemptContext } from '../../ports.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Evaluation, SelfTests, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { runSelfTests, type SelfTestRun } from './run-self-tests.ts';
import type { WrittenTests } from './write-self-tests.ts';

/** Self-written tests of one loop: made once, asked after whenever the actor says it is done. */
export interface SelfTester {
  /** Begins an attempt; before the first one, where nothing fails, the tests are written. Returns what that took. */
  prepare(context: AttemptContext): Promise<Usage>;
  /** What the actor is told about tests that fail; undefined: none does, there are none, or it was told the same. */
  review(context: AttemptContext): Promise<string | undefined>;
  /** How they stand at the end of the attempt, run again where the tree may have changed since. */
  result(context: AttemptContext): Promise<SelfTests | undefined>;
}

/** They help the actor to see how far it is; the verdict never rests on them where the repository has tests. */
export function createSelfTester(client: ModelClient, repository: string): SelfTester {
  let tests: WrittenTests | undefined;
  let run: SelfTestRun | undefined;
  let told: string | undefined;

  /** Tests that cannot be run at all are given up. */
  const runAgain = async (
    context: AttemptContext,
    written: WrittenTests,
  ): Promise<SelfTestRun | undefined> => {
    context.onProgress('running the self-written tests');
    try {
      return await runSelfTests(context, written);
    } catch (error) {
      tests = undefined;
      context.onWork({
        type: 'warning',
        text: `The self-written tests could not be run: ${messageOf(error)}`,
      });
      return undefined;
    }
  };

  return {
    async prepare(context) {
      run = undefined;
      told = undefined;
      if (!isGreen(context.evaluation) || context.iteration > 1) return NO_USAGE;
      // With it comes a parser, which most loops have no use for.
      const { writeSelfTests } = await import('./write-self-tests.ts');
      const written = await writeSelfTests(context, client, repository);
      tests = written.tests;
      return written.usage ?? NO_USAGE;
    },
    async review(context) {
      run = undefined;
      if (tests === undefined || context.signal.aborted) return undefined;
      const { count: written } = tests;
      run = await runAgain(context, tests);
      if (run === undefined || run.passed === written) return undefined;
      const { failures, passed } = run;
      const question = renderPrompt(
        'self-tests-failed',
        { written, failed: written - passed, failures },
        repository,
      );
      if (question === told) return undefined;
      told = question;
      // The actor goes on from here.
      run = undefined;
      return question;
    },
    async result(context) {
      if (tests === undefined || context.signal.aborted) return undefined;
      const { count: written, file } = tests;
      run ??= await runAgain(context, tests);
      return run === undefined ? undefined : { file, written, passed: run.passed };
    },
  };
}

function isGreen({ checks, diagnostics }: Evaluation): boolean {
  return (
    !diagnostics.some(({ severity }) => severity === 'error') &&
    checks.every(({ status }) => status === 'pass' || status === 'skip')
  );
}
