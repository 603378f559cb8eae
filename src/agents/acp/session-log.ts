import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../platform/files/read-bounded.ts';
import { homeFolder } from '../../platform/processes/own-user.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { fieldsOf, listOf } from './tool-call.ts';
import { addTokens, countOf, NO_TOKENS, type Tokens } from './usage-meter.ts';

/** The part of a session's id that Gemini CLI puts into the name of its file. */
const ID_IN_NAME = 8;

/**
 * The tokens of every model call of a session of Gemini CLI, from the file that it keeps: over the protocol it does not report
 * which of them were cached. `env` is the agent's environment. Undefined if there is no such file or nothing can be read.
 */
export function loggedTokens(
  sessionId: string,
  env: Readonly<Record<string, string | undefined>>,
): Tokens | undefined {
  const home = env['GEMINI_CLI_HOME'] ?? homeFolder();
  if (home === undefined || sessionId.length < ID_IN_NAME) return undefined;
  try {
    const path = sessionFile(join(home, '.gemini', 'tmp'), sessionId.slice(0, ID_IN_NAME));
    return path === undefined ? undefined : tokensIn(readOwnFile(path).toString('utf8'), sessionId);
  } catch {
    return undefined;
  }
}

/** `<project>/chats/session-<time>-<beginning of the id>.jsonl`. */
function sessionFile(folder: string, id: string): string | undefined {
  for (const project of namesIn(folder)) {
    const chats = join(folder, project, 'chats');
    const name = namesIn(chats).find((it) => it.startsWith('session-') && it.endsWith(`-${id}.jsonl`));
    if (name !== undefined) return join(chats, name);
  }
  return undefined;
}

/** One JSON object a line: the session's head, or a message, which is written again whenever more of it is known. */
function tokensIn(text: string, sessionId: string): Tokens | undefined {
  const records = text.split('\n').flatMap((line) => (line === '' ? [] : [fieldsOf(parsed(line))]));
  if (records[0]?.['sessionId'] !== sessionId) return undefined;
  const calls = new Map<unknown, Tokens>();
  for (const record of records) {
    for (const message of [record, ...listOf(fieldsOf(record['$set'])['messages'])]) {
      const { id, tokens } = fieldsOf(message);
      const read = tokensOfCall(tokens);
      if (read !== undefined) calls.set(id, read);
    }
  }
  return calls.size === 0 ? undefined : [...calls.values()].reduce(addTokens, NO_TOKENS);
}

/** `input` includes `cached`; thoughts are beside `output`. */
function tokensOfCall(tokens: unknown): Tokens | undefined {
  const [input, output] = [countOf(tokens, 'input'), countOf(tokens, 'output')];
  if (input === undefined || output === undefined) return undefined;
  return {
    input: input + (countOf(tokens, 'tool') ?? 0),
    output: output + (countOf(tokens, 'thoughts') ?? 0),
    cached: Math.min(input, countOf(tokens, 'cached') ?? 0),
  };
}

/** A line that was cut off says nothing. */
function parsed(line: string): unknown {
  try {
    return parseBoundedJson(line);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
