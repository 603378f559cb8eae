import type { ModelClient, ReplyEnding } from '../llm/client.ts';
import type { Actor, AttemptContext } from '../../ports.ts';
import { cotPrompt } from '../../prompts/cot.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Action, Trajectory } from '../../schema/generated.ts';
import { modelTrajectory } from '../model-trajectory.ts';
import { createAnsweredFiles } from './answered-files.ts';
import { applyChanges, type Applied } from './apply-changes.ts';
import { parseAnswer } from './edit-blocks.ts';
import { listFiles, renderListing } from './listing.ts';
import { relevantFiles } from './relevant-files.ts';

export interface CotOptions {
  readonly client: ModelClient;
  /** Absolute path of the repository, whose own prompt templates win. */
  readonly repository: string;
}

/** Endings whose text the model meant, as far as it goes. */
const ANSWERED: ReadonlySet<ReplyEnding> = new Set(['stopped', 'length', 'steps']);

/**
 * Chain of thought, the paper's actor for reasoning: the model sees the files that matter and answers once, with its
 * thoughts and its edits. For models that take no tools, and for little money.
 */
export function createCotActor(options: CotOptions): Actor {
  return { name: 'cot', attempt: (context) => attempt(context, options) };
}

async function attempt(context: AttemptContext, { client, repository }: CotOptions): Promise<Trajectory> {
  const started = performance.now();
  const { root, project, signal, onWork } = context;
  const actions: Action[] = [];
  const files = createAnsweredFiles(root, project.packageDir);
  const listing = await listFiles(context);
  const shown = await relevantFiles(context, listing, files);
  const reply = await client.converse({
    system: renderPrompt('cot-system', {}, repository),
    prompt: renderPrompt('cot', cotPrompt(context, shown, renderListing(listing)), repository).trim(),
    maxSteps: 1,
    signal,
    onWork,
  });
  const answer = parseAnswer(ANSWERED.has(reply.ending) ? reply.text : '', files);
  const cut = new Set(shown.filter((file) => file.cut !== '').map(({ path }) => path));
  const applied = await applyChanges(answer.changes, {
    ...{ root, files, cut, signal },
    onAction(action) {
      actions.push(action);
      onWork({ type: 'action', action });
    },
  });
  const { changed } = applied;
  return modelTrajectory({
    ...{ actor: 'cot', started, actions, reply },
    strategy: `One answer of ${client.name} on ${shown.length} files: ${changed.length} changed`,
    message: messageFor(reply.detail, {
      changed,
      problems: [...answer.problems, ...applied.problems],
    }),
    ...(reply.ending === 'length' && changed.length > 0 && { outcome: 'edited' }),
    ...(reply.ending === 'stopped' && changed.length === 0 && { outcome: 'gave_up' }),
  });
}

/** How the answer ended, what was changed, and what of it could not be used, for the reflection. */
function messageFor(detail: string, { changed, problems }: Applied): string {
  const done = changed.length === 0 ? '' : `Changed ${changed.join(', ')}.`;
  const failed = problems.length === 0 ? '' : `Not everything could be applied:\n${problems.join('\n')}`;
  const said = [detail, done, failed].filter(Boolean).join('\n');
  return said === '' ? 'The answer has no edit block and no file.' : said;
}
