import { readFileSync } from 'node:fs';
import { usageError, messageOf } from '../errors.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { parseEvent, type CiEvent } from './github/event.ts';
import type { Environment } from './remote.ts';

const MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** Reads the event of GitHub Actions, or makes a `manual` one for a given branch. Throws a usage error. */
export function readEvent(
  env: Environment,
  { branch, task }: { readonly branch: string | undefined; readonly task: string | undefined },
): CiEvent {
  if (branch !== undefined) return { kind: 'manual', branch, task };
  const { GITHUB_EVENT_NAME: name = '', GITHUB_EVENT_PATH: path = '' } = env;
  if (name === '' || path === '')
    throw usageError(
      'There is no event: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set.',
      'Outside GitHub Actions, name the failing branch: ralph ci plan --branch main',
    );
  const source = { name, repository: env.GITHUB_REPOSITORY ?? '', ref: env.GITHUB_REF ?? '' };
  const event = parseEvent(readPayload(path), source);
  if (typeof event !== 'string') return event;
  throw usageError(`The ${name} event in GITHUB_EVENT_PATH (${path}) cannot be used: ${event}.`);
}

function readPayload(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8');
    return parseBoundedJson(text, { maxChars: MAX_EVENT_CHARS });
  } catch (error) {
    throw usageError(`GITHUB_EVENT_PATH ${path} cannot be read: ${messageOf(error)}`);
  }
}
