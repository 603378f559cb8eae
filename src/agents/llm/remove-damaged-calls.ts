import { readFileSync } from 'node:fs';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { unreadable } from '../../platform/files/file-errors.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';
import { parseCall } from './player.ts';
import { HEADER_LINE } from './recording.ts';

/** The result of removing damaged calls from a log. */
export interface RemovedCalls {
  /** The problem of the first damaged line. */
  readonly problem: string;
  /** The absolute path of the copy of the damaged log. */
  readonly aside: string;
  /** The number of removed lines. */
  readonly lostCalls: number;
}

/**
 * Removes damaged lines from a loop's call log, and the later calls of the same step, whose prompts contain the lost
 * answer. A copy of the damaged log is kept beside it. Undefined if no line is damaged; an incomplete last line does
 * not count. Rejects with RalphError if a file cannot be read or written.
 */
export async function removeDamagedCalls(path: string): Promise<RemovedCalls | undefined> {
  const content = readIfExists(path);
  const [header, ...rest] = content.toString('utf8').split('\n');
  // Text after the last line break is empty or an incomplete line.
  const calls = rest.slice(0, -1);
  const hasHeader = rest.length === 0 ? HEADER_LINE.startsWith(header!) : header === HEADER_LINE;
  const kept: string[] = [];
  let problem = hasHeader ? undefined : 'line 1: the header of a recording is missing';
  let isLost = false;
  let lostStep: number | undefined;
  for (const [index, line] of calls.entries()) {
    const call = parseCall(line);
    if (typeof call === 'string') {
      problem ??= `line ${index + 2}: ${call}`;
      isLost = true;
      lostStep = undefined;
      continue;
    }
    if (isLost) lostStep ??= call.finished_steps;
    if (call.finished_steps !== lostStep) kept.push(line);
  }
  if (problem === undefined) return undefined;
  const aside = await keepDamaged(path, content);
  await writeDurably(path, [HEADER_LINE, ...kept, ''].join('\n'));
  return { problem, aside, lostCalls: calls.length - kept.length };
}

function readIfExists(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.of();
    throw unreadable(path, error);
  }
}
