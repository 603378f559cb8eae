import { messageOf } from '../../errors.ts';
import type { ModelClient } from '../llm/client.ts';
import type { AttemptContext } from '../../ports.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Evaluation, SelfTests, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { runSelfTests, type SelfTestRun } from './run-self-tests.ts';
import type { WrittenTests } from './write-self-tests.ts';

/** The self-written tests of one loop: written once, run whenever the actor says that it is done. */
export interface SelfTester {
  /** Begins an attempt. Before the first one, the tests are written if all checks pass. Resolves with the usage. */
  prepare(context: AttemptContext): Promise<Usage>;
  /** A message for the actor about failing tests; undefined if none fails or the message was already sent. */
  review(context: AttemptContext): Promise<string | undefined>;
  /** The results at the end of the attempt; runs the tests again if the tree may have changed. */
  result(context: AttemptContext): Promise<SelfTests | undefined>;
}

/** Creates a tester that shows the actor its progress. The verdict does not depend on these tests if the repository has its own. */
export function createSelfTester(client: ModelClient, repository: string): SelfTester {
  let tests: WrittenTests | undefined;
  let run: SelfTestRun | undefined;
  let sent: string | undefined;

  /** Discards the tests if they cannot be run. */
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
      sent = undefined;
      if (!isGreen(context.evaluation) || context.iteration > 1) return NO_USAGE;
      // Imported here, since it loads a parser that most loops do not need.
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
      if (question === sent) return undefined;
      sent = question;
      // The actor continues and may change the tree.
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
