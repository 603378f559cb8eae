import { createHash } from 'node:crypto';
import type { AiwgRecord } from '../episodes/aiwg-record.ts';

const MARK = /^(.+)-([0-9a-f]{12})$/;

/**
 * The identity of a reflection in any store. Of two with the same base and iteration but different content, the first
 * keeps its loop id, and the other gets a loop id with its content's digest as a suffix (the mark). A suffix counts as a
 * mark only if it is the digest of the record itself. Importing is therefore idempotent and independent of the order.
 */
export interface Identity {
  /** Loop id without the mark. */
  readonly base: string;
  /** 0-based. */
  readonly iteration: number;
  /** 12 hex digits of the SHA-256 of all fields except the loop id and the mark of an import. */
  readonly digest: string;
}

/** The identity of a record. */
export function identityOf(record: AiwgRecord): Identity {
  // A reflection that was imported is the same one.
  const { loop_id: loop, imported: _, ...content } = record;
  const digest = createHash('sha256').update(canonical(content)).digest('hex').slice(0, 12);
  const [, name, mark] = MARK.exec(loop) ?? [];
  return { base: mark === digest ? name! : loop, iteration: record.iteration, digest };
}

/** The loop id of a reflection that is kept beside another one. */
export function markedLoopId({ base, digest }: Identity): string {
  return `${base}-${digest}`;
}

/** JSON with sorted field names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
