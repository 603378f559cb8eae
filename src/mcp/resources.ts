import { printable, printableJson } from '../platform/text/printable.ts';
import { boundedList, boundedText } from './bounded-answer.ts';
import type { McpServices } from './services.ts';

/** Resources with a fixed URI. */
export const RESOURCES = [
  {
    uri: 'ralph://playbook',
    name: 'playbook',
    title: 'Playbook',
    description: 'Knowledge about this repository, consolidated from its loops.',
    mimeType: 'text/markdown',
  },
  {
    uri: 'ralph://lessons',
    name: 'lessons',
    title: 'Lessons',
    description: 'Active and staged lessons, newest first.',
    mimeType: 'application/json',
  },
  {
    uri: 'ralph://reflections',
    name: 'reflections',
    title: 'Reflections',
    description: 'The newest reflections, by loop and attempt.',
    mimeType: 'application/json',
  },
] as const;

/** Resources with parameters in their URI. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'ralph://reflections/{loop}/{attempt}',
    name: 'reflection',
    title: 'One reflection',
    description: 'The full record of an attempt; attempts are numbered from 1.',
    mimeType: 'application/json',
  },
] as const;

const REFLECTION_URI = /^ralph:\/\/reflections\/(ralph-[a-z0-9-]{1,114})\/(\d{1,9})$/;
const MAX_REFLECTIONS = 50;

/** Reads a resource as bounded, redacted, printable text; undefined for an unknown URI. */
export async function readResource(
  uri: string,
  services: McpServices,
): Promise<{ readonly text: string; readonly mimeType: string } | undefined> {
  const json = (value: object): { text: string; mimeType: string } => {
    return { text: printableJson(value, 2), mimeType: 'application/json' };
  };
  const match = REFLECTION_URI.exec(uri);
  if (match !== null) {
    const reflection = await services.readReflection(match[1]!, Number(match[2]));
    return reflection === undefined ? undefined : json(boundedList('reflections', [reflection]));
  }
  switch (uri) {
    case 'ralph://playbook':
      return {
        text: printable(boundedText((await services.playbook()) ?? 'There is no playbook yet.')),
        mimeType: 'text/markdown',
      };
    case 'ralph://lessons': {
      const lessons = await services.lessons({});
      return json(boundedList('lessons', lessons));
    }
    case 'ralph://reflections': {
      const { matches } = await services.searchReflections({ limit: MAX_REFLECTIONS + 1 });
      const rows = matches.map(({ record: { reflection } }) => ({
        uri: `ralph://reflections/${reflection.loop_id}/${reflection.iteration + 1}`,
        timestamp: reflection.timestamp,
        task: reflection.task_description,
        root_cause: reflection.self_reflection.credit_assignment?.root_cause,
      }));
      return json(boundedList('reflections', rows, MAX_REFLECTIONS));
    }
    default:
      return undefined;
  }
}
