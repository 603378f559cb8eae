import { messageOf } from '../../errors.ts';
import type {
  AcceptanceDraft,
  AcceptanceQuestion,
  AcceptanceWriter,
  Actor,
  AttemptContext,
} from '../../ports.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { createWorkspaceFiles } from '../cot/workspace-files.ts';
import { listFiles } from '../cot/listing.ts';
import { noDraft, promptOf, readDraft } from './index.ts';

export interface AgentWriterOptions {
  /** The agent as an actor; each question is a session of its own. */
  readonly agent: Actor;
  /** The agent's name for the user. */
  readonly name: string;
  /** Absolute path of the repository, for its own prompts. */
  readonly repository: string;
  /** Saves the tree of the question's root; the result restores it, so that nothing that the agent did stays. */
  readonly saveTree: () => Promise<() => Promise<void>>;
  /** The parts of an attempt's context that a question does not have. */
  readonly context: Pick<AttemptContext, 'loopId' | 'bench' | 'sandbox' | 'guidance'>;
}

/**
 * Creates a writer that asks a coding agent in a session of its own. The answer is the JSON in its text, or else the new
 * test files in the tree, each as one criterion. The tree is restored afterwards.
 */
export function createAgentWriter(options: AgentWriterOptions): AcceptanceWriter {
  return {
    name: options.name,
    write: (question) => ask(question, options).catch((error: unknown) => noDraft(messageOf(error))),
  };
}

async function ask(question: AcceptanceQuestion, options: AgentWriterOptions): Promise<AcceptanceDraft> {
  const { agent, repository, saveTree, context } = options;
  const { request } = question;
  const before = new Set(await listFiles(request));
  const task = [
    renderPrompt('acceptance-system', {}, repository),
    renderPrompt('acceptance', await promptOf(question), repository),
  ].join('\n\n');
  const restore = await saveTree();
  try {
    const { rationale, usage } = await agent.attempt({
      ...request,
      ...context,
      task,
      iteration: 1,
      reflections: [],
    });
    const draft = readDraft(rationale);
    if (draft.problem === undefined) return { ...draft, usage };
    const files = await newFiles(question, before);
    if (files.length === 0) return { ...draft, usage };
    const tests = files.flatMap(({ content }) => titlesIn(content));
    return {
      criteria: [{ text: request.stated[0] ?? firstLine(request.task), tests, covered_by: [] }],
      files,
      usage,
    };
  } finally {
    await restore();
  }
}

async function newFiles(
  { request, place }: AcceptanceQuestion,
  before: ReadonlySet<string>,
): Promise<AcceptanceDraft['files']> {
  const { readText } = createWorkspaceFiles(request.root, request.project.packageDir);
  const added = (await listFiles(request)).filter((path) => !before.has(path) && path.endsWith(place.ending));
  return added.flatMap((path) => {
    const content = readText(path);
    return content === undefined ? [] : [{ path, content }];
  });
}

/** Names in calls of `test` and `it`; the vetting finds those that exist. */
function titlesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:test|it)\(\s*(['"`])(.*?)\1/g)].map(([, , title]) => title!);
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 300);
}
