import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../platform/files/durable-write.ts';
import { redactValue } from '../platform/redaction/redact.ts';
import type { TreeId } from '../ports/tree.ts';
import type { Evaluation } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { readBounded } from '../platform/files/read-bounded.ts';

/** The last evaluation of a repository. */
export interface KnownEvaluation {
  /** Hash of the set-up that the caches of the checks are valid for. */
  readonly setup: string;
  /** Hash of everything beside the tree that the result depends on. */
  readonly surroundings: string;
  readonly tree: TreeId;
  /** ISO 8601. */
  readonly at: string;
  readonly evaluation: Evaluation;
}

/** The last evaluation of a repository, kept beside the caches of its checks, where no check can write. */
export interface EvaluationRecord {
  /** Undefined if there is none with this set-up, or if it cannot be read. */
  read(setup: string): Promise<KnownEvaluation | undefined>;
  /** Replaces the one before. */
  write(known: KnownEvaluation): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the record in the folder of the caches. */
export function openEvaluationRecord(cacheDir: string): EvaluationRecord {
  const path = join(cacheDir, 'evaluated.json');
  return {
    read: async (setup) => parse(await readBounded(path).catch(() => ''), setup),
    write: (known) => writeDurably(path, JSON.stringify(redactValue(known))),
    remove: () => rm(path, { force: true }),
  };
}

function parse(text: string, setup: string): KnownEvaluation | undefined {
  try {
    const known = JSON.parse(text) as KnownEvaluation;
    return known.setup === setup && validate('evaluation', known.evaluation).ok ? known : undefined;
  } catch {
    return undefined;
  }
}
