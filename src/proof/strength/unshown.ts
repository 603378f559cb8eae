import type { ProofStrength } from '../../schema/generated.ts';
import type { TakenBack } from './put-back.ts';

/** What was tried, and why the rest was not: absent if the time ended. */
export interface Tried extends Omit<TakenBack, 'unneeded'> {
  readonly reason?: string | undefined;
}

/** The field with the changed blocks of which nobody knows whether they are needed; none if there are none. */
export function unshown(tried: readonly Tried[]): Pick<ProofStrength, 'unshown'> {
  const left = tried.filter(({ untried }) => untried > 0);
  if (left.length === 0) return {};
  const sum = (of: readonly Tried[], key: 'untried' | 'all'): number =>
    of.reduce((total, one) => total + one[key], 0);
  const isOver = left.some(({ reason }) => reason === undefined);
  return {
    unshown: {
      blocks: sum(left, 'untried'),
      of: sum(tried, 'all'),
      reason: left.find(({ reason }) => reason !== undefined)?.reason ?? 'the time for it was up',
      ...(isOver && { flag: '--proof-time' }),
    },
  };
}
