import type { AnalysisShare } from '../../schema/generated.ts';
import { percent } from './figures.ts';

/** Renders a share with its interval: `3 of 12 (95 %: 9 to 53 %)`, with a remark if the sample is too small. */
export function renderShare({ part, n, low, high, too_few: few }: AnalysisShare): string {
  const interval = low === null || high === null ? '' : ` (95 %: ${percent(low)} to ${percent(high)})`;
  return `${part} of ${n}${interval}${few ? ', too few for a conclusion' : ''}`;
}
