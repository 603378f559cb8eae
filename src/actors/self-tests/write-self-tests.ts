import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Reply, ModelClient } from '../../llm/client.ts';
import type { AttemptContext, CheckPlan } from '../../ports.ts';
import { fenceFor } from '../../prompts/fence.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { boundText } from '../../util/bounded-text.ts';
import { listFiles } from '../cot/relevant-files.ts';
import { keepTests } from './test-calls.ts';

/** Tests of the task that a model wrote before the work began. */
export interface WrittenTests {
  /** Relative to the repository's root; the file is not there but while they run. */
  readonly file: string;
  readonly text: string;
  readonly count: number;
  /** The check that can run them. */
  readonly check: string;
}

/** As many as in the paper (Shinn et al., 2023, §4.3). */
const MOST_TESTS = 6;
const MAX_EXAMPLE_CHARS = 6000;

/** Asks a model for tests of the task. Undefined where no runner would run them, or none of them parses. */
export async function writeSelfTests(
  context: AttemptContext,
  client: ModelClient,
  repository: string,
): Promise<{ readonly tests: WrittenTests | undefined; readonly usage: Reply['usage'] | undefined }> {
  const plan = context.project.checks.find(({ kind, tool }) => kind === 'tests' && tool !== 'command');
  if (plan === undefined) return { tests: undefined, usage: undefined };
  context.onProgress('writing tests of the task');
  const example = await exampleTest(context, plan);
  const file = fileFor(plan, example?.path);
  const { paths } = await listFiles(context.root);
  const reply = await client.converse({
    system: renderPrompt('cot-system', {}, repository),
    prompt: renderPrompt(
      'self-tests',
      {
        ...{ task: context.task, most: MOST_TESTS, runner: plan.tool, file, listing: paths.join('\n') },
        example: example?.text ?? '',
        examplePath: example?.path ?? '',
        fence: fenceFor(example?.text ?? ''),
      },
      repository,
    ),
    maxSteps: 1,
    signal: context.signal,
    onWork: context.onWork,
  });
  const kept = keepTests(codeIn(reply.text), MOST_TESTS);
  return {
    tests: kept === undefined ? undefined : { file, ...kept, check: plan.name },
    usage: reply.usage,
  };
}

async function exampleTest(
  { evaluation, root }: AttemptContext,
  { name }: CheckPlan,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const path = evaluation.tests.find(({ file, id }) => file !== undefined && id !== name)?.file;
  if (path === undefined) return undefined;
  const text = await readFile(join(root, path), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { path, text: boundText(text, MAX_EXAMPLE_CHARS) };
}

/** Beside an existing test file, with its ending, since that is what the runner's own patterns find. */
function fileFor({ cwd, tool }: CheckPlan, example: string | undefined): string {
  if (example !== undefined) {
    const name = basename(example);
    const ending = /((?:[._-](?:test|spec))?\.[cm]?[jt]sx?)$/.exec(name)?.[1] ?? extname(name);
    return join(dirname(example), `ralph-self${ending}`);
  }
  return join(cwd, tool === 'node' ? 'test/ralph-self.test.mjs' : 'test/ralph-self.test.js');
}

/** The first fenced block of the answer, else all of it. */
function codeIn(answer: string): string {
  return /^(`{3,})[^\n]*\n([\s\S]*?)\n\1\s*$/m.exec(answer)?.[2] ?? answer;
}
