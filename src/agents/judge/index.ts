import { messageOf } from '../../errors.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import type { Judge } from '../../ports.ts';
import type { JudgeQuestion, Judgement } from '../../ports/acceptance.ts';
import { fenceFor } from '../../prompts/fence.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { answerShape } from '../../schema/model-shape.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import type { ModelClient } from '../llm/client.ts';

const MAX_PATCH_CHARS = 60_000;

/** Creates a judge that asks a model in one call, without tools. `repository`: absolute path, for its own prompts. */
export function createModelJudge(client: ModelClient, repository: string): Judge {
  return {
    name: client.name,
    judge: (question) =>
      ask(question, client, repository).catch((error: unknown) => noFindings(messageOf(error))),
  };
}

async function ask(question: JudgeQuestion, client: ModelClient, repository: string): Promise<Judgement> {
  const { task, criteria, changes, signal, onWork } = question;
  const patch = boundText(changes.patch, MAX_PATCH_CHARS);
  const variables = {
    task,
    taskFence: fenceFor(task),
    criteria,
    patch,
    patchFence: fenceFor(patch),
    isCut: patch.length < changes.patch.length,
  };
  const reply = await client.converse({
    system: renderPrompt('judge-system', {}, repository),
    prompt: renderPrompt('judge', variables, repository),
    answerSchema: answerShape('judge-answer'),
    maxSteps: 1,
    signal,
    onWork,
  });
  const { usage, ending, detail, text } = reply;
  if (ending !== 'stopped') return { ...noFindings(detail || `The answer ended early: ${ending}.`), usage };
  return { ...readFindings(text, question), usage };
}

function readFindings(text: string, { criteria, changes }: JudgeQuestion): Judgement {
  const answer = findAnswer(text, ['findings']);
  if (typeof answer === 'string') return noFindings(answer);
  const checked = validate('judge-answer', answer);
  if (!checked.ok) return noFindings(renderProblems(checked.problems));
  const known = new Set(criteria.map(({ id }) => id));
  const changed = new Set(changes.files.map(({ path }) => path));
  const findings = checked.value.findings
    .filter(({ criterion }) => known.has(criterion))
    // A place that is not in the change shows nothing.
    .map((finding) => (changed.has(finding.file) ? finding : { ...finding, file: '', line: 0 }));
  return { findings, usage: NO_USAGE };
}

/** No opinion, with a sentence that says why. */
function noFindings(problem: string): Judgement {
  return { findings: [], problem, usage: NO_USAGE };
}
