import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RequestError, type ReadTextFileRequest, type WriteTextFileRequest } from '@agentclientprotocol/sdk';
import { messageOf } from '../../errors.ts';
import type { Place, WorkspaceScope } from './workspace-scope.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** A written file. `before` is undefined if the file is new. */
export interface WrittenFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Answers `fs/read_text_file`; `line` is 1-based. Rejects with RequestError, which is sent to the agent. */
export async function readTextFile(
  scope: WorkspaceScope,
  { path, line, limit }: ReadTextFileRequest,
): Promise<string> {
  const text = await readText(pathOf(path, scope.toRead(path)), path);
  if (text === undefined) throw RequestError.resourceNotFound(path);
  if ((line ?? limit ?? undefined) === undefined) return text;
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = text.split(/(?<=\n)/);
  return lines.slice(start, start + Math.max(0, limit ?? Infinity)).join('');
}

/** Answers `fs/write_text_file`; creates missing folders. Rejects with RequestError, which is sent to the agent. */
export async function writeTextFile(
  scope: WorkspaceScope,
  { path, content }: WriteTextFileRequest,
): Promise<WrittenFile> {
  const target = pathOf(path, scope.toWrite(path));
  const before = await readText(target, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  } catch (error) {
    throw refusal(path, `cannot be written: ${messageOf(error)}`);
  }
  return { path, before, after: content };
}

/** The text of a file; undefined if nothing exists at the path. */
async function readText(real: string, path: string): Promise<string | undefined> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw refusal(path, 'is not a regular file');
  if (found.size > MAX_FILE_BYTES)
    throw refusal(path, `has ${found.size} bytes, more than the limit of ${MAX_FILE_BYTES}`);
  return readFile(real, 'utf8').catch((error: unknown) => {
    throw refusal(path, `cannot be read: ${messageOf(error)}`);
  });
}

function pathOf(path: string, place: Place): string {
  if (place.allowed) return place.path;
  throw refusal(path, `is ${place.reason}`);
}

function refusal(path: string, why: string): RequestError {
  return new RequestError(-32602, `${path.slice(0, 1000)} ${why}.`);
}
