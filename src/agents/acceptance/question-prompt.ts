import type { AcceptanceQuestion } from '../../ports/acceptance.ts';
import type { AcceptanceAgentPrompt } from '../../prompts/acceptance.ts';
import { fenceFor } from '../../prompts/fence.ts';

const MAX_FAILING = 50;

/** The variables that the prompts of every writer share. */
export function questionPrompt(question: AcceptanceQuestion): AcceptanceAgentPrompt {
  const { request, place, runner, limits, survivors, reasons } = question;
  const { task, stated, evaluation } = request;
  const failing = evaluation.tests.filter(({ status }) => status === 'failed').slice(0, MAX_FAILING);
  return {
    task,
    taskFence: fenceFor(task),
    stated,
    runner,
    mostTests: limits.tests,
    mostFiles: limits.files,
    folder: place.folder,
    ending: place.ending,
    failing: failing.map(({ id }) => id),
    survivors: survivors.map(({ file, line, before, after }) => `${file}:${line}: ${before} → ${after}`),
    reasons,
  };
}
