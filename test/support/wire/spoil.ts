import type { WireFault } from './fault.ts';
import type { FormatAdapter } from './format.ts';
import type { Frame } from './frame.ts';

/** The frames as a fault leaves them; faults of the connection leave them whole. */
export function spoil(
  frames: readonly Frame[],
  fault: WireFault | undefined,
  adapter: FormatAdapter,
): Frame[] {
  switch (fault?.kind) {
    case 'truncated':
      return firstHalf(frames);
    case 'error-event':
      return withError(frames, fault.at, adapter);
    case 'duplicated':
      return isStream(frames) ? frames.flatMap((frame) => [frame, frame]) : [...frames];
    case 'missing':
      return frames.filter(({ part }) => part !== fault.part && !(fault.part === 'end' && part === 'done'));
    case 'invalid-json':
      return changedMiddle(frames, cutText);
    case 'wrong-schema':
      return changedMiddle(frames, (text) => JSON.stringify(scrambled(JSON.parse(text))));
    default:
      return [...frames];
  }
}

function withError(frames: readonly Frame[], at: 'start' | 'middle', adapter: FormatAdapter): Frame[] {
  if (!isStream(frames)) return [{ part: 'body', data: JSON.stringify(adapter.errorBody(503)) }];
  return [...(at === 'middle' ? firstHalf(frames) : []), adapter.errorFrame()];
}

/** Never what says that the reply is whole. */
function firstHalf(frames: readonly Frame[]): Frame[] {
  if (!isStream(frames)) return frames.map((frame) => ({ ...frame, data: cutText(frame.data) }));
  const content = frames.filter(({ part }) => part !== 'end' && part !== 'done');
  return content.slice(0, Math.ceil(content.length / 2));
}

function changedMiddle(frames: readonly Frame[], change: (data: string) => string): Frame[] {
  const deltas = frames.filter(({ part }) => part === 'delta');
  const middle = deltas[Math.floor(deltas.length / 2)] ?? frames[0];
  return frames.map((frame) => (frame === middle ? { ...frame, data: change(frame.data) } : frame));
}

function isStream(frames: readonly Frame[]): boolean {
  return frames.every(({ part }) => part !== 'body');
}

function cutText(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** The same keys, with values of other types. */
function scrambled(value: unknown): unknown {
  if (value === null || Array.isArray(value)) return {};
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object') return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrambled(inner)]));
}
