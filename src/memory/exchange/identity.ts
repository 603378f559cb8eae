import { createHash } from 'node:crypto';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';

const MARK = /^(.+)-([0-9a-f]{12})$/;

/**
 * What a reflection is, wherever it lies. Two with the same base and iteration and another content are both kept:
 * the first at its own loop id, others in a loop that is called like it with the content's digest behind. Such a
 * digest counts as a mark, and not as a name, only where it is that of the record itself. So the reflections of
 * several stores come together as sets do, in whatever order they come and however often.
 */
export interface Identity {
  /** Loop id without a mark. */
  readonly base: string;
  /** 0-based. */
  readonly iteration: number;
  /** 12 hexadecimal digits, of everything but the loop id. */
  readonly digest: string;
}

export function identityOf(record: AiwgRecord): Identity {
  const { loop_id: loop, ...content } = record;
  const digest = createHash('sha256').update(canonical(content)).digest('hex').slice(0, 12);
  const [, name, mark] = MARK.exec(loop) ?? [];
  return { base: mark === digest ? name! : loop, iteration: record.iteration, digest };
}

/** The loop id of one that is kept beside another. */
export function markedLoopId({ base, digest }: Identity): string {
  return `${base}-${digest}`;
}

/** JSON in which the order of fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
