import { basename, dirname, extname, join } from 'node:path';
import type { Reply, ModelClient } from '../llm/client.ts';
import type { AttemptContext, CheckPlan } from '../../ports.ts';
import { fenceFor } from '../../prompts/fence.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { TestCase } from '../../schema/generated.ts';
import { toolOf } from '../../tools.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { createWorkspaceFiles } from '../shown-files/workspace-files.ts';
import { endOfFence, fenceOn, withoutIndent } from '../cot/fences.ts';
import { listFiles, renderListing } from '../shown-files/listing.ts';
import { keepTests } from './test-calls.ts';

/** The tests that a model wrote for the task before the first attempt. */
export interface WrittenTests {
  /** The path relative to the root; the file exists only while the tests run. */
  readonly file: string;
  readonly text: string;
  readonly count: number;
  /** The name of the check that can run the tests. */
  readonly check: string;
}

/** The maximum number of tests, as in the paper (Shinn et al., 2023, §4.3). */
const MAX_TESTS = 6;
const MAX_LISTED = 300;
const MAX_EXAMPLE_CHARS = 6000;

/** Asks a model for tests of the task. `tests` is undefined if there is no test runner, or no test in the answer parses. */
export async function writeSelfTests(
  context: AttemptContext,
  client: ModelClient,
  repository: string,
): Promise<{ readonly tests: WrittenTests | undefined; readonly usage: Reply['usage'] | undefined }> {
  const plan = context.project.checks.find(({ kind, tool }) => kind === 'tests' && tool !== 'command');
  if (plan === undefined) return { tests: undefined, usage: undefined };
  context.onProgress('writing tests of the task');
  const example = exampleTest(context, plan);
  const file = fileFor(plan, example?.path);
  const listing = renderListing(await listFiles(context), MAX_LISTED);
  const reply = await client.converse({
    system: renderPrompt('cot-system', {}, repository),
    prompt: renderPrompt(
      'self-tests',
      {
        task: context.task,
        most: MAX_TESTS,
        runner: toolOf(plan.tool).title,
        file,
        listing,
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
  const kept = codeIn(reply.text)
    .map((code) => keepTests(code, MAX_TESTS, file))
    .find((found) => found !== undefined);
  return {
    tests: kept === undefined ? undefined : { file, ...kept, check: plan.name },
    usage: reply.usage,
  };
}

/** A test file of the same check, from the current tree. */
function exampleTest(
  { evaluation, project, root }: AttemptContext,
  { cwd, name }: CheckPlan,
): { readonly path: string; readonly text: string } | undefined {
  const others = project.checks.filter((plan) => plan.name !== name).map((plan) => `${plan.name}: `);
  const isOwn = ({ id, file = '' }: TestCase): boolean =>
    !others.some((prefix) => id.startsWith(prefix)) && (cwd === '.' || file.startsWith(`${cwd}/`));
  const path = evaluation.tests.find((test) => test.file !== undefined && isOwn(test))?.file;
  const text = path === undefined ? undefined : createWorkspaceFiles(root, cwd).readText(path);
  return text === undefined ? undefined : { path: path!, text: boundText(text, MAX_EXAMPLE_CHARS) };
}

/** A path next to an existing test file with the same suffix, so that the runner's patterns match it. */
function fileFor({ cwd, tool }: CheckPlan, example: string | undefined): string {
  if (example !== undefined) {
    const name = basename(example);
    const ending = /((?:[._-](?:test|spec))?\.[cm]?[jt]sx?)$/.exec(name)?.[1] ?? extname(name);
    return join(dirname(example), `ralph-self${ending}`);
  }
  return join(cwd, tool === 'node' ? 'test/ralph-self.test.mjs' : 'test/ralph-self.test.js');
}

/** The fenced blocks of the answer, or all of it if it has none; a block that is not closed is ignored. */
function codeIn(answer: string): string[] {
  const lines = answer.replace(/\r\n/g, '\n').split('\n');
  const blocks: string[] = [];
  let hasFence = false;
  for (let at = 0; at < lines.length; at++) {
    const fence = fenceOn(lines[at]!);
    if (fence === undefined) continue;
    hasFence = true;
    const end = endOfFence(lines, at, fence);
    if (end === -1) break;
    blocks.push(withoutIndent(lines.slice(at + 1, end), fence.indent).join('\n'));
    at = end;
  }
  return hasFence ? blocks.map((block) => `${block}\n`) : [answer];
}
