import type { Job } from './repeat-program.ts';

/**
 * Puts a clock in place that is ahead, or stands still at the time that it is set to; returns what sets it. Its source text
 * runs in another process, so it must not refer to anything outside of its body.
 */
export function setClock({
  aheadMs,
  isClockKept,
}: Pick<Job, 'aheadMs' | 'isClockKept'>): (ms: number) => void {
  const RealDate = Date;
  let keptMs: number | undefined;
  const shownMs = (): number => keptMs ?? RealDate.now() + (aheadMs ?? 0);
  if (aheadMs !== undefined || isClockKept === true) {
    globalThis.Date = class extends RealDate {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([shownMs()] as unknown as []) : given));
      }
      static override now(): number {
        return shownMs();
      }
    } as DateConstructor;
  }
  return (ms) => (keptMs = ms);
}
