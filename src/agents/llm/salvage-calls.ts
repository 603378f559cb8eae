import { readFileSync } from 'node:fs';
import { unreadable, writeDurably } from '../../platform/files/durable-write.ts';
import { keepDamaged } from '../../platform/files/set-aside.ts';
import { parseCall } from './player.ts';
import { HEADER_LINE } from './recording.ts';

/** A log of calls that was damaged. */
export interface SalvagedCalls {
  /** What is wrong with its first damaged line. */
  readonly problem: string;
  /** Where the damaged content is kept; absolute. */
  readonly aside: string;
  /** Lines that are no longer in the log. */
  readonly lostCalls: number;
}

/**
 * Rids a loop's own log of damaged lines, and of the calls behind them in the same step: what was said there rests on
 * the answer that is lost. The damaged log is kept beside it. Undefined where there is nothing to do; an unfinished
 * last line is none. Throws RalphError where the disk refuses.
 */
export async function salvageCalls(path: string): Promise<SalvagedCalls | undefined> {
  const content = readIfThere(path);
  const [header, ...rest] = content.toString('utf8').split('\n');
  // What stands behind the last line break is nothing, or was torn by a crash.
  const calls = rest.slice(0, -1);
  const begins = rest.length === 0 ? HEADER_LINE.startsWith(header!) : header === HEADER_LINE;
  const kept: string[] = [];
  let problem = begins ? undefined : 'line 1: it does not begin like a recording of ralph';
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

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.of();
    throw unreadable(path, error);
  }
}
