import { isAbsolute } from 'node:path';
import type { HookCall } from './dialect.ts';

/** The payload of a hook: a JSON object with unknown fields. */
export type Payload = Readonly<Record<string, unknown>>;

/** Parses the payload of a hook. Throws Error with a clause that says what it is instead of a JSON object. */
export function parsePayload(input: string): Payload {
  if (input.trim() === '') throw new Error('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    throw new Error('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it is not a JSON object');
  return value as Payload;
}

/** A text field that is not empty; undefined for anything else. */
export function textIn(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An absolute path; undefined for anything else. */
export function folderIn(value: unknown): string | undefined {
  return typeof value === 'string' && isAbsolute(value) ? value : undefined;
}

/** The fields that most agents have under the same names. `project`: the project's folder from the environment. */
export function commonCall(payload: Payload, project: string | undefined): HookCall {
  return {
    session: textIn(payload, 'session_id'),
    cwd: folderIn(project) ?? folderIn(payload['cwd']),
    calledFrom: folderIn(payload['cwd']),
    isContinued: payload['stop_hook_active'] === true,
    isInterrupted: false,
    said: textIn(payload, 'last_assistant_message') ?? textIn(payload, 'prompt_response') ?? '',
  };
}
