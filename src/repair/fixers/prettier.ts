import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';

/** One file's text before and after an edit. */
export interface EditedFile {
  /** Relative to the root. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const TIMEOUT_MS = 20_000;
const MAX_CHARS = 2_000_000;

/**
 * Formats the edited text with the repository's own prettier if the file was formatted by it before, because test
 * commands often check the format. Otherwise returns the edited text as it is. Never rejects.
 */
export async function formatLikeBefore(context: AttemptContext, edited: EditedFile): Promise<string> {
  const bin = findPrettier(context);
  if (
    bin === undefined ||
    (await format(context, bin, { ...edited, after: edited.before })) !== edited.before
  ) {
    return edited.after;
  }
  return (await format(context, bin, edited)) ?? edited.after;
}

function findPrettier({ root, project }: AttemptContext): string | undefined {
  try {
    const path = createRequire(join(root, project.packageDir, 'package.json')).resolve(
      'prettier/package.json',
    );
    const { bin } = JSON.parse(readTreeTextSync(path)) as { bin: string | { prettier: string } };
    return join(dirname(path), typeof bin === 'string' ? bin : bin.prettier);
  } catch {
    return undefined;
  }
}

async function format(
  context: AttemptContext,
  bin: string,
  { file, after }: EditedFile,
): Promise<string | undefined> {
  const { exitCode, stdout } = await runProcess({
    file: process.execPath,
    args: [bin, '--stdin-filepath', join(context.root, file)],
    cwd: join(context.root, context.project.packageDir),
    env: childEnvironment(),
    input: after,
    timeoutMs: TIMEOUT_MS,
    keepBytes: MAX_CHARS,
    sandbox: context.sandbox,
    signal: context.signal,
  });
  return exitCode === 0 && stdout.length < MAX_CHARS ? stdout : undefined;
}
