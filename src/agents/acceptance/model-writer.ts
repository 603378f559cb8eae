import { messageOf } from '../../errors.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import type { AcceptanceWriter } from '../../ports.ts';
import type { AcceptanceDraft, AcceptanceQuestion, AcceptanceRequest } from '../../ports/acceptance.ts';
import type { AcceptancePrompt } from '../../prompts/acceptance.ts';
import { fenceFor } from '../../prompts/fence.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { answerShape } from '../../schema/model-shape.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { createWorkspaceFiles } from '../shown-files/workspace-files.ts';
import { listFiles, renderListing } from '../shown-files/listing.ts';
import type { ModelClient } from '../llm/client.ts';
import { noDraft } from './draft.ts';
import { questionPrompt } from './question-prompt.ts';

const MAX_FILE_CHARS = 6000;
const MAX_SOURCES = 8;
const MAX_LISTED = 300;
const SOURCE = /\.[cm]?[jt]sx?$/;

/** Creates a writer that asks a model in one call, without tools. `repository`: absolute path, for its own prompts. */
export function createModelWriter(client: ModelClient, repository: string): AcceptanceWriter {
  return {
    name: client.name,
    write: (question) =>
      ask(question, client, repository).catch((error: unknown) => noDraft(messageOf(error))),
  };
}

async function ask(
  question: AcceptanceQuestion,
  client: ModelClient,
  repository: string,
): Promise<AcceptanceDraft> {
  const { signal, onWork } = question.request;
  const answerSchema = answerShape('acceptance-answer');
  const reply = await client.converse({
    system: renderPrompt('acceptance-system', {}, repository),
    prompt: renderPrompt('acceptance', await promptOf(question), repository),
    answerSchema,
    maxSteps: 1,
    signal,
    onWork,
  });
  if (reply.ending !== 'stopped') {
    const detail = reply.detail === '' ? `The answer ended early: ${reply.ending}.` : reply.detail;
    return { ...noDraft(detail), usage: reply.usage };
  }
  return { ...readDraft(reply.text), usage: reply.usage };
}

/** The draft in an answer's text, without its usage. */
function readDraft(text: string): AcceptanceDraft {
  const answer = findAnswer(text, ['files', 'criteria']);
  if (typeof answer === 'string') return noDraft(answer);
  const checked = validate('acceptance-answer', answer);
  if (!checked.ok) return noDraft(renderProblems(checked.problems));
  return { ...checked.value, usage: NO_USAGE };
}

/** The variables of the prompt for a question. */
async function promptOf(question: AcceptanceQuestion): Promise<AcceptancePrompt> {
  const { request, examples, survivors } = question;
  const { task, root, project } = request;
  const paths = await listFiles(request);
  const files = createWorkspaceFiles(root, project.packageDir);
  const shown = [...examples, ...sourcesFor({ task, survivors }, paths, examples)].flatMap((path) => {
    const text = files.readText(path);
    if (text === undefined) return [];
    const cut = boundText(text, MAX_FILE_CHARS);
    return [{ path, text: cut, fence: fenceFor(cut) }];
  });
  const listing = renderListing(paths, MAX_LISTED);
  return { ...questionPrompt(question), files: shown, listing, listingFence: fenceFor(listing) };
}

/** Source files, those that a surviving mutant or the task names first. */
function sourcesFor(
  { task, survivors }: Pick<AcceptanceRequest, 'task'> & Pick<AcceptanceQuestion, 'survivors'>,
  paths: readonly string[],
  examples: readonly string[],
): string[] {
  const weak = new Set(survivors.map(({ file }) => file));
  const isNamed = (path: string): boolean =>
    weak.has(path) || task.includes(path) || task.includes(path.split('/').at(-1)!);
  const isTest = /(^|\/)(tests?|__tests__|spec)\/|[._-](test|spec)\.|\.config\.|\.d\.ts$/;
  return paths
    .filter((path) => SOURCE.test(path) && !isTest.test(path) && !examples.includes(path))
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .slice(0, MAX_SOURCES);
}
