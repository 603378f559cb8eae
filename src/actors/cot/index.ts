import { messageOf } from '../../errors.ts';
import type { ModelClient } from '../../llm/client.ts';
import type { Actor, AttemptContext } from '../../ports.ts';
import { cotPrompt } from '../../prompts/cot.ts';
import { renderPrompt } from '../../prompts/render.ts';
import type { Action, Trajectory } from '../../schema/generated.ts';
import { modelTrajectory } from '../model/trajectory.ts';
import { createTools } from '../tools/index.ts';
import { parseEditBlocks, type FileChange } from './edit-blocks.ts';
import { listFiles, relevantFiles } from './relevant-files.ts';

export interface CotOptions {
  readonly client: ModelClient;
  /** Absolute path of the repository, whose own prompt templates win. */
  readonly repository: string;
}

/**
 * Chain of thought, the paper's actor for reasoning: the model sees the files that matter and answers once, with its
 * thoughts and its edits. For models that take no tools, and for little money.
 */
export function createCotActor(options: CotOptions): Actor {
  return { name: 'cot', attempt: (context) => attempt(context, options) };
}

async function attempt(context: AttemptContext, { client, repository }: CotOptions): Promise<Trajectory> {
  const started = performance.now();
  const actions: Action[] = [];
  const { paths, more } = await listFiles(context.root);
  const listing = [...paths, ...(more > 0 ? [`(${more} more files are not listed.)`] : [])].join('\n');
  const files = await relevantFiles(context, paths);
  const reply = await client.converse({
    system: renderPrompt('cot-system', {}, repository),
    prompt: renderPrompt('cot', cotPrompt(context, files, listing), repository).trim(),
    maxSteps: 1,
    signal: context.signal,
    onWork: context.onWork,
  });
  const changes = parseEditBlocks(reply.text);
  const refused = await applyAll(changes, context, (action) => {
    actions.push(action);
    context.onWork({ type: 'action', action });
  });
  return modelTrajectory({
    ...{ actor: 'cot', started, actions, reply },
    strategy: `One answer of ${client.name} on ${files.length} files: ${changes.length} changed`,
    message: messageFor(reply.detail, changes, refused),
  });
}

/** Makes each file's changes, as far as they can be made. Returns why the others could not. */
async function applyAll(
  changes: readonly FileChange[],
  { root, signal }: AttemptContext,
  onAction: (action: Action) => void,
): Promise<string[]> {
  // Paths of an answer are the repository's, whatever package is worked on.
  const { edit, write } = createTools({ root, cwd: '.', bashTimeoutMs: 0, onAction });
  const refused: string[] = [];
  for (const change of changes) {
    const { path } = change;
    try {
      if (change.kind === 'whole') await write!.run({ path, content: change.text } as never, signal);
      else await edit!.run({ path, edits: change.edits } as never, signal);
    } catch (error) {
      refused.push(`${path}: ${messageOf(error)}`);
    }
  }
  return refused;
}

function messageFor(detail: string, changes: readonly FileChange[], refused: readonly string[]): string {
  if (refused.length > 0)
    return `${refused.length} of ${changes.length} changes could not be made. ${refused.join('\n')}`;
  if (detail !== '') return detail;
  return changes.length === 0
    ? 'The answer has no edit block and no file.'
    : `Changed ${changes.map(({ path }) => path).join(', ')}.`;
}
