import type { ModelClient, ReplyEnding } from '../llm/client.ts';
import type { Actor } from '../../ports.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { plural } from '../../platform/text/plural.ts';
import { attemptPrompt } from '../../prompts/attempt.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Action, ActorOutcome, Trajectory } from '../../schema/generated.ts';
import { modelTrajectory } from '../model-trajectory.ts';
import { shownFiles, WITHOUT_TOOLS } from '../shown-files/index.ts';
import { createWorkspaceFiles } from '../shown-files/workspace-files.ts';
import { applyChanges, type Applied } from './apply-changes.ts';
import { parseAnswer } from './edit-blocks.ts';

export interface CotOptions {
  readonly client: ModelClient;
  /** Absolute path of the repository, whose prompt templates override the bundled ones. */
  readonly repository: string;
}

/** Endings whose text is used as an answer. */
const ANSWERED: ReadonlySet<ReplyEnding> = new Set(['stopped', 'length', 'steps']);

/**
 * Chain of thought, the actor for reasoning in the Reflexion paper: the model gets the relevant files and answers once,
 * with its reasoning and its edits. For models without tool calls, and at a low cost.
 */
export function createCotActor(options: CotOptions): Actor {
  return { name: 'cot', attempt: (context) => attempt(context, options) };
}

async function attempt(context: AttemptContext, { client, repository }: CotOptions): Promise<Trajectory> {
  const started = performance.now();
  const { root, project, signal, onWork } = context;
  const actions: Action[] = [];
  const files = createWorkspaceFiles(root, project.packageDir);
  const shown = await shownFiles(context, WITHOUT_TOOLS);
  const reply = await client.converse({
    system: renderPrompt('cot-system', {}, repository),
    prompt: renderPrompt('cot', attemptPrompt(context, shown), repository).trim(),
    maxSteps: 1,
    signal,
    onWork,
  });
  const answer = parseAnswer(ANSWERED.has(reply.ending) ? reply.text : '', files);
  const cut = new Set(shown.files.filter((file) => file.cut !== '').map(({ path }) => path));
  const applied = await applyChanges(answer.changes, {
    root,
    files,
    cut,
    signal,
    onAction(action) {
      actions.push(action);
      onWork({ type: 'action', action });
    },
  });
  const { changed } = applied;
  return modelTrajectory({
    actor: 'cot',
    started,
    actions,
    reply,
    strategy: `One answer of ${client.name} on ${plural(shown.files.length, 'file')}: ${changed.length} changed`,
    message: messageFor(reply.detail, {
      changed,
      problems: [...answer.problems, ...applied.problems],
    }),
    outcome: outcomeFor(reply.ending, changed.length > 0),
  });
}

/** The outcome if it differs from the usual one of the ending. */
function outcomeFor(ending: ReplyEnding, hasChanged: boolean): ActorOutcome | undefined {
  if (ending === 'length' && hasChanged) return 'edited';
  return ending === 'stopped' && !hasChanged ? 'gave_up' : undefined;
}

/** The ending, the changed files and the parts that could not be applied, for the reflection. */
function messageFor(detail: string, { changed, problems }: Applied): string {
  const done = changed.length === 0 ? '' : `Changed ${changed.join(', ')}.`;
  const failed = problems.length === 0 ? '' : `Some changes could not be applied:\n${problems.join('\n')}`;
  const message = [detail, done, failed].filter(Boolean).join('\n');
  return message === '' ? 'The answer has no edit block and no file.' : message;
}
