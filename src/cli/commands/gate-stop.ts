import { stopGate } from '../../compose/gate/stop.ts';
import { plural } from '../../platform/text/plural.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph gate stop`: forgets every session of the repository. Their reflections stay. */
export async function gateStopCommand(options: OutputOptions): Promise<void> {
  const removed = await stopGate(process.cwd());
  printResult(options, { removed }, () => [
    `${plural(removed.length, 'session')} removed. Without a start, a check compares with the last commit.`,
  ]);
}
