import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { usageError } from '../errors.ts';
import { renderPrompt } from '../prompts/render.ts';
import type { UserStory } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import type { TaskFile, TaskItem, TextEdit } from './task-item.ts';

interface Story extends TaskItem {
  readonly index: number;
  readonly priority: number;
}

/**
 * The user stories of a prd.json (`{ "userStories": [{ id, title, description, acceptanceCriteria, priority, passes
 * }] }`), by priority, the lowest first. Throws a usage error that names the file and what is wrong in it.
 */
export function parsePrd(text: string, name: string): TaskFile {
  const stories = readStories(text, name)
    .map(toStory)
    .sort((a, b) => a.priority - b.priority || a.index - b.index);
  refuseTwins(stories, name);
  return {
    format: 'prd',
    items: stories.map(({ key, title, text: asked, done }) => ({ key, title, text: asked, done })),
    tick(key) {
      const story = stories.find((one) => one.key === key);
      return story === undefined || story.done ? [] : pass(text, story.index);
    },
  };
}

function readStories(text: string, name: string): readonly UserStory[] {
  const checked = validate('prd', parsed(text, name));
  if (checked.ok) return checked.value.userStories;
  throw usageError(
    `${name} is no list of user stories: ${renderProblems(checked.problems)}.`,
    'It looks like {"userStories": [{"id": "US-001", "title": "…", "acceptanceCriteria": ["…"], "passes": false}]}.',
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(
      `${name} is no JSON: ${(error as Error).message}`,
      'Mend the file; it is left as it is.',
    );
  }
}

function toStory(story: UserStory, index: number): Story {
  const { id, title, description = '', acceptanceCriteria = [], notes = '', passes = false } = story;
  const priority = story.priority ?? Number.POSITIVE_INFINITY;
  const prompt = { title, description, criteria: acceptanceCriteria, notes };
  return {
    key: String(id ?? title),
    title: title.replace(/\s+/g, ' ').trim(),
    text: renderPrompt('story', prompt).trim(),
    done: passes,
    index,
    priority: Number.isNaN(priority) ? Number.POSITIVE_INFINITY : priority,
  };
}

function refuseTwins(stories: readonly Story[], name: string): void {
  const twin = stories.find(({ key }, at) => stories.findIndex((other) => other.key === key) !== at);
  if (twin === undefined) return;
  throw usageError(
    `${name} has two stories ${JSON.stringify(twin.key)}.`,
    'Give each an id of its own: that is how a story is known again.',
  );
}

/** Only the one word changes; a story that does not say gets the key behind its others, set apart as they are. */
function pass(text: string, index: number): TextEdit[] {
  const story = nodeAt(parse(text, { ranges: true }).body, 'userStories', index);
  if (story?.type !== 'Object') return [];
  const value = nodeAt(story, 'passes');
  if (value !== undefined) {
    const [from, to] = value.range!;
    return [{ offset: from, length: to - from, text: 'true' }];
  }
  const [from, to] = story.members.at(-1)!.range!;
  const space = /\s*$/.exec(text.slice(0, from))![0];
  return [{ offset: to, length: 0, text: `,${space}"passes": true` }];
}

/** By keys and numbers of elements. Of a key that comes twice the last counts, as it does for JSON.parse. */
function nodeAt(from: ValueNode, ...path: readonly (string | number)[]): ValueNode | undefined {
  return path.reduce<ValueNode | undefined>((node, step) => {
    if (node?.type === 'Array') return node.elements[Number(step)]?.value;
    if (node?.type !== 'Object') return undefined;
    return node.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === step)
      ?.value;
  }, from);
}
