import type { ChangeRules } from '../ports.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import { commitPatch } from '../workspace/deliver/verified-commit.ts';
import { examineCommit } from './examine-commit.ts';
import { isActing } from './rules/reaches.ts';

/** A patch of a commit that is checked out. */
export interface ExaminedPatch {
  /** Absolute path of the checkout. */
  readonly root: string;
  /** The commit that is checked out, which the patch applies to. */
  readonly head: string;
  readonly patch: Buffer;
  /** Globs of files that may change as the patch likes. */
  readonly allow: readonly string[];
}

/** The commit with a patch, or a sentence for each rule that does not let the patch be published. */
export type Examination =
  | {
      readonly ok: true;
      readonly commit: string;
      readonly tree: string;
      /** Changed files in the order of git. */
      readonly files: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Makes the commit of a patch in a repository of our own and examines it by the rules of publishing. */
export async function examinePatch(
  desk: RemoteDesk,
  { root, head, patch, allow }: ExaminedPatch,
): Promise<Examination> {
  await desk.git(['fetch', '--quiet', '--no-tags', '--depth=1', root, 'HEAD']);
  const made = await commitPatch(desk, { patch, head, message: 'patch', allow });
  if (!made.ok) return { ok: false, problems: [made.problem] };
  const problems = await examineCommit(desk, { head, commit: made.commit, allow });
  return problems.length > 0 ? { ok: false, problems } : made;
}

/** The rules of publishing for the attempts of a loop, so that none that would be refused later ends it. */
export function publishingRules(place: Omit<ExaminedPatch, 'patch'>): ChangeRules {
  return {
    isActing,
    async examine({ patch }) {
      const desk = await openRemoteDesk({ url: place.root, token: undefined });
      try {
        const examined = await examinePatch(desk, { ...place, patch: Buffer.from(patch) });
        return examined.ok ? [] : examined.problems;
      } finally {
        desk.close();
      }
    },
  };
}
