import type { ChalkInstance } from 'chalk';
import type { Verdict } from '../schema/generated.ts';

/** The verdict as a painted word: `VERIFIED`, `NOTHING TO DO`, `UNPROVEN`, `NOT VERIFIED` or `ABORTED`. */
export function paintVerdict(
  { status, verified }: Pick<Verdict, 'status' | 'verified'>,
  chalk: ChalkInstance,
): string {
  if (verified) return chalk.green.bold(status === 'nothing_to_do' ? 'NOTHING TO DO' : 'VERIFIED');
  if (status === 'unproven') return chalk.yellow.bold('UNPROVEN');
  return chalk.red.bold(status === 'aborted' ? 'ABORTED' : 'NOT VERIFIED');
}
