import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { usageError } from '../errors.ts';
import { renderPrompt } from '../prompts/render.ts';
import type { StoryCriterion, UserStory } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import type { TaskCriterion, TaskFile, TaskItem, TextEdit } from './task-item.ts';

interface Story extends TaskItem {
  readonly index: number;
  readonly priority: number;
}

/**
 * Parses the user stories of a prd.json (`{ "userStories": [{ id, title, description, acceptanceCriteria, priority, passes
 * }] }`), sorted by priority, the lowest number first. Throws a usage error that names the file and the problem.
 */
export function parsePrd(text: string, name: string): TaskFile {
  const stories = readStories(text, name)
    .map(toStory)
    .sort((a, b) => a.priority - b.priority || a.index - b.index);
  refuseDuplicates(stories, name);
  return {
    format: 'prd',
    items: stories.map(({ key, title, text, criteria, done }) => ({ key, title, text, criteria, done })),
    tick(key) {
      const story = stories.find((one) => one.key === key);
      return story === undefined || story.done ? [] : pass(text, story.index);
    },
  };
}

function readStories(text: string, name: string): readonly UserStory[] {
  const checked = validate('prd', parseJson(text, name));
  if (checked.ok) return checked.value.userStories;
  throw usageError(
    `${name} is not a list of user stories: ${renderProblems(checked.problems)}.`,
    'It looks like {"userStories": [{"id": "US-001", "title": "…", "acceptanceCriteria": ["…"], "passes": false}]}.',
  );
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`${name} is not JSON: ${(error as Error).message}`, 'Fix the file; it was not changed.');
  }
}

function toStory(story: UserStory, index: number): Story {
  const { id, title, description = '', acceptanceCriteria = [], notes = '', passes = false } = story;
  const priority = story.priority ?? Number.POSITIVE_INFINITY;
  const criteria = acceptanceCriteria.map(toCriterion);
  const prompt = { title, description, criteria: criteria.map(({ text: sentence }) => sentence), notes };
  return {
    key: String(id ?? title),
    title: title.replace(/\s+/g, ' ').trim(),
    text: renderPrompt('story', prompt).trim(),
    criteria,
    done: passes,
    index,
    priority: Number.isNaN(priority) ? Number.POSITIVE_INFINITY : priority,
  };
}

function toCriterion(given: StoryCriterion): TaskCriterion {
  if (typeof given === 'string') return { text: given };
  const { text, command, test } = given;
  return { text, command, test };
}

function refuseDuplicates(stories: readonly Story[], name: string): void {
  const duplicate = stories.find(({ key }, at) => stories.findIndex((other) => other.key === key) !== at);
  if (duplicate === undefined) return;
  throw usageError(
    `${name} has two stories with the id ${JSON.stringify(duplicate.key)}.`,
    'Give each story a unique id; it identifies the story in later runs.',
  );
}

/** Edits that set `passes` to true: replaces the value, or adds the key after the last one, with the same spacing. */
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

/** The node at a path of keys and indexes. The last one of duplicate keys counts, as for JSON.parse. */
function nodeAt(from: ValueNode, ...path: readonly (string | number)[]): ValueNode | undefined {
  return path.reduce<ValueNode | undefined>((node, step) => {
    if (node?.type === 'Array') return node.elements[Number(step)]?.value;
    if (node?.type !== 'Object') return undefined;
    return node.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === step)
      ?.value;
  }, from);
}
