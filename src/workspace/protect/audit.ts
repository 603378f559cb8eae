import type { Guard, TreeId } from '../../ports.ts';
import type { Tampering } from '../../schema/generated.ts';
import type { GuardOptions } from './guard.ts';
import { changedDependencies } from './dependencies.ts';
import type { ProtectionRules } from './protected-paths.ts';
import type { EntryChange } from '../snapshots/tree-changes.ts';

/** True where the workspace is no tree of the user's: there, installing packages is the actor's right. */
export function isApart(options: GuardOptions): options is GuardOptions & { readonly repository: string } {
  const { workspace, repository } = options;
  return workspace.carried !== undefined && repository !== undefined && repository !== workspace.root;
}

/**
 * The guard's look at what checks did: protected files that differ from the tree which was judged, and installed
 * packages that changed since the checks of the untouched tree have run. `installed` gives the user's `node_modules`.
 */
export function createAudit(
  options: GuardOptions,
  rulesNow: () => Promise<ProtectionRules>,
  installed: () => Promise<readonly string[]>,
): NonNullable<Guard['audit']> {
  const { snapshots, workspace, checks = [] } = options;
  let watchedSince = Date.now();
  const spoiled = async (tree: TreeId): Promise<Tampering[]> => {
    if (!isApart(options)) return [];
    const since = watchedSince;
    if (tree === workspace.base) watchedSince = Date.now();
    return changedDependencies(options.repository, await installed(), since);
  };
  return async (tree) => {
    const rules = await rulesNow();
    const [written, sinceBase] = await Promise.all([
      workspace.checkpoint().then((now) => snapshots.entryChanges(tree, now)),
      snapshots.entryChanges(workspace.base, tree),
    ]);
    return {
      tampering: [...written.flatMap((change) => changedByChecks(change, rules)), ...(await spoiled(tree))],
      added: sinceBase.filter(({ before }) => !before).map(({ path }) => path.toString('utf8')),
      isReconfigured(name) {
        const check = checks.find((it) => it.name === name);
        // Without a file of its own, a check's configuration stands in package.json.
        return check !== undefined && rules.isAllowed(check.config ?? 'package.json');
      },
    };
  };
}

/** A protected file of the base that is another one after the checks than before. */
function changedByChecks({ path, before, after }: EntryChange, rules: ProtectionRules): Tampering[] {
  const file = path.toString('utf8').slice(0, 4096);
  if (before === undefined || rules.existing(file) !== 'whole') return [];
  const what = after === undefined ? 'was deleted' : 'was changed';
  const detail = `${file.slice(0, 1000)} ${what} while the checks ran, so they judged by something else than the tree holds.`;
  return [{ kind: 'changed_while_checked', file, detail }];
}
