import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolders } from '../../platform/git/git-folders.ts';
import type { GateAnswer } from '../../schema/generated.ts';

/**
 * Whether an answer still holds for the same files, by the commit that is checked out: another one may have brought files that are not
 * the agent's. A tree that passed against the start alone needs none.
 */
export function isOfHead({ head: then, base, passed }: GateAnswer, now: () => string | undefined): boolean {
  if (then === undefined || (passed && base === undefined)) return true;
  return then === now();
}

/** The commit that is checked out, read without git; undefined if that is not certain. `root` is absolute. */
export function readHead(root: string): string | undefined {
  try {
    const [own, common] = gitFolders(root);
    const head = textIn(own, 'HEAD');
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    return idIn(ref === undefined ? head : (looseRef(common, ref) ?? packedRef(common, ref)));
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
