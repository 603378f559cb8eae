import { relative } from 'node:path';
import type { Check } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Tampering } from '../../schema/generated.ts';
import { watchedRun } from './watched-run.ts';

const MAX_FILES = 50;

export interface ReadDataRequest {
  readonly request: CheckRequest;
  /** Test files to run, relative to the root; undefined for all that the check runs. */
  readonly files: readonly string[] | undefined;
  /** Files that judge the product, relative to the root. */
  readonly judges: readonly string[];
  /** Changed and new files without code, relative to the root. */
  readonly data: readonly string[];
  /** Files that are new. */
  readonly added: readonly string[];
}

/**
 * Tampering for each changed or new file of data that a judging file itself reads, under whatever name: the tests compare with it.
 * What only the product reads belongs to it. Never rejects for what the tests do.
 */
export async function findChangedExpectations(
  check: Check,
  { request, files, judges, data, added }: ReadDataRequest,
): Promise<Tampering[]> {
  if (data.length === 0) return [];
  const asked = files === undefined ? request : { ...request, files };
  const acts = await watchedRun(check, asked, judges, data.slice(0, MAX_FILES));
  const read = acts.filter(({ kind }) => kind === 'read').map(({ name }) => relative(request.root, name));
  return [...new Set(read)].map((file) => {
    const isNew = added.includes(file);
    return {
      kind: isNew ? 'protected_added' : 'protected_edited',
      file,
      detail: `${file} was ${isNew ? 'added' : 'edited'}, but the tests compare with it. --allow permits it.`,
    };
  });
}
