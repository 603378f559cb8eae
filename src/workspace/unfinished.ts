/** Files in the git directory that show an unfinished operation, with its name and the commands that end it. */
export const UNFINISHED: readonly (readonly [file: string, what: string, remedy: string])[] = [
  ['MERGE_HEAD', 'a merge', 'git merge --continue, or git merge --abort'],
  ['rebase-merge', 'a rebase', 'git rebase --continue, or git rebase --abort'],
  ['rebase-apply/applying', 'git am', 'git am --continue, or git am --abort'],
  ['rebase-apply', 'a rebase', 'git rebase --continue, or git rebase --abort'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick', 'git cherry-pick --continue, or git cherry-pick --abort'],
  ['REVERT_HEAD', 'a revert', 'git revert --continue, or git revert --abort'],
  ['BISECT_LOG', 'a bisect', 'git bisect reset'],
];
