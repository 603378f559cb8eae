import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolders } from '../../platform/git/git-folders.ts';
import type { GateAnswer } from '../../schema/generated.ts';
import type { Repository } from '../../workspace/repository.ts';

/** The commit and the branch that are checked out. */
export type Head = Pick<Repository, 'head' | 'branch'>;

/**
 * Whether an answer still holds for the same files, by the commit and the branch that are checked out: another one may have brought files
 * that are not the agent's, and a branch that was set back takes no test from the start. A tree that passed against the start alone
 * needs none.
 */
export function isOfHead({ head, branch, base, passed }: GateAnswer, now: () => Head | undefined): boolean {
  if (head === undefined || (passed && base === undefined)) return true;
  const there = now();
  return there?.head === head && (there.branch ?? '') === branch;
}

/** The commit and the branch that are checked out, read without git; undefined if that is not certain. `root` is absolute. */
export function readHead(root: string): Head | undefined {
  try {
    const [own, common] = gitFolders(root);
    const text = textIn(own, 'HEAD');
    const ref = /^ref: (.+)$/.exec(text)?.[1];
    const head = idIn(ref === undefined ? text : (looseRef(common, ref) ?? packedRef(common, ref)));
    return head === undefined ? undefined : { head, branch: ref?.replace('refs/heads/', '') ?? null };
  } catch {
    return undefined;
  }
}

function looseRef(common: string, ref: string): string | undefined {
  try {
    return textIn(common, ref);
  } catch {
    return undefined;
  }
}

/** Lines `<id> <ref>` (gitrepository-layout(5), "packed-refs"). */
function packedRef(common: string, ref: string): string {
  const line = textIn(common, 'packed-refs')
    .split('\n')
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? '';
}

function textIn(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}

function idIn(text: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}
