import { messageOf } from '../../errors.ts';
import { findAnswer } from '../../platform/text/json-answer.ts';
import type { AcceptanceWriter, Workspace } from '../../ports.ts';
import type { AcceptanceDraft, AcceptanceQuestion } from '../../ports/acceptance.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { FileChange } from '../../ports/tree.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { AcceptanceCriterion } from '../../schema/generated.ts';
import { validate } from '../../schema/validate.ts';
import type { AskAgent } from '../acp/index.ts';
import { createWorkspaceFiles } from '../shown-files/workspace-files.ts';
import { noDraft } from './draft.ts';
import { questionPrompt } from './question-prompt.ts';

export interface AgentWriterOptions {
  /** Name of the agent, for the user. */
  readonly name: string;
  readonly ask: AskAgent;
  readonly workspace: Pick<Workspace, 'checkpoint' | 'changes' | 'restore'>;
  readonly sandbox: AttemptContext['sandbox'];
  readonly loopId: string;
  /** Absolute path, for its own prompts. */
  readonly repository: string;
}

/**
 * Creates a writer that asks an agent in a session of its own. The draft holds the new files of the session; whatever
 * else it left in the workspace is undone before they are tried.
 */
export function createAgentWriter(options: AgentWriterOptions): AcceptanceWriter {
  return {
    name: options.name,
    write: (question) =>
      ask(question, options).catch((error: unknown) => noDraft(`${options.name}: ${messageOf(error)}`)),
  };
}

async function ask(question: AcceptanceQuestion, options: AgentWriterOptions): Promise<AcceptanceDraft> {
  const { workspace, sandbox, loopId, repository } = options;
  const { root, project, signal, onProgress, onWork } = question.request;
  const before = await workspace.checkpoint();
  try {
    const { message, outcome, usage } = await options.ask({
      loopId,
      iteration: 0,
      root,
      project,
      sandbox,
      signal,
      onProgress,
      onWork,
      prompt: renderPrompt('acceptance-agent', questionPrompt(question), repository),
    });
    const { files: changes } = await workspace.changes(before, await workspace.checkpoint());
    const files = newTests(changes, question);
    const criteria = readCriteria(message);
    const problem = outcome === 'claimed_done' || files.length > 0 ? {} : { problem: message };
    return { files, criteria, usage, ...problem };
  } finally {
    await workspace.restore(before);
  }
}

/** New files that look like tests of the place; one that is elsewhere is refused later, with its reason. */
function newTests(changes: readonly FileChange[], question: AcceptanceQuestion): AcceptanceDraft['files'] {
  const { limits, place, request } = question;
  const files = createWorkspaceFiles(request.root, request.project.packageDir);
  return changes
    .filter(({ kind, path }) => kind === 'added' && path.endsWith(place.ending))
    .slice(0, limits.files)
    .flatMap(({ path }) => {
      const content = files.readText(path);
      return content === undefined ? [] : [{ path, content }];
    });
}

/** The criteria in an agent's last message; none if it holds no answer of that form. */
function readCriteria(message: string): AcceptanceCriterion[] {
  const answer = findAnswer(message, ['criteria']);
  if (typeof answer === 'string') return [];
  const { criteria } = answer as { readonly criteria: unknown };
  const checked = validate('acceptance-answer', { criteria, files: [] });
  return checked.ok ? [...checked.value.criteria] : [];
}
