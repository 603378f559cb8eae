import { ExitCode, RalphError, usageError } from '../errors.ts';
import type { ReviewTests } from '../ports.ts';
import { runInteractive } from '../platform/processes/interactive.ts';
import type { Output } from './output.ts';

/** Throws a usage RalphError if the user cannot be shown tests: no terminal, or no editor. */
export function refuseUnreviewable(env: Readonly<Record<string, string | undefined>> = process.env): void {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw usageError(
      '--review needs a terminal, to open the acceptance tests in an editor.',
      'Without a terminal, leave it out and look at the tests where they are delivered, with the change; or give your own: --accept-tests FILE',
    );
  if (editorOf(env) === undefined)
    throw usageError(
      '--review needs an editor, and neither VISUAL nor EDITOR is set.',
      'Set one of them: EDITOR=vim ralph run … --review',
    );
}

/** A review that opens the files in $VISUAL or $EDITOR, with the terminal to itself. Rejects if the editor fails. */
export function createReview(
  output: Pick<Output, 'release'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReviewTests {
  const editor = editorOf(env)!;
  return (files) =>
    output.release(async () => {
      const { failed, ending } = await runInteractive(editor, files);
      if (!failed) return;
      throw new RalphError(`The review was cancelled: ${editor} ended with ${ending}.`, {
        code: 'usage',
        exitCode: ExitCode.usage,
        hint: 'Save and quit to accept the tests, delete a test to drop it. Without a review: leave out --review.',
      });
    });
}

function editorOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [env['VISUAL'], env['EDITOR']].find((command) => command !== undefined && command.trim() !== '');
}
