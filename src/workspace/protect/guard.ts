import type { Guard } from '../../ports.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Tampering } from '../../schema/generated.ts';
import { createAudit, isCopy } from './audit.ts';
import { readBase, type BaseFacts } from './base-facts.ts';
import { removeShadowing } from './dependencies.ts';
import { findForbidden } from './forbidden-changes.ts';
import type { GuardedWorkspace, GuardOptions } from './guard-options.ts';
import { removeHidden } from './hidden-configuration.ts';
import { protectionRules, type ProtectionRules } from './protected-paths.ts';

/**
 * A guard that compares the workspace with its base. It restores protected files and keys of package.json, and removes new
 * configuration, ignored files included; new tests stay. It compares trees, so that a symbolic link in place of a protected
 * file or folder is undone too.
 */
export function createGuard(given: GuardOptions): Guard {
  const { snapshots, checks = [] } = given;
  const workspace = withOwnBase(given.workspace);
  const options = { ...given, workspace };
  let added: readonly string[] = [];
  let known: Promise<BaseFacts> | undefined;
  let examined: TreeId | undefined;
  const facts = (): Promise<BaseFacts> => (known ??= readBase(options));
  const rulesNow = async (): Promise<ProtectionRules> => {
    const { allow, testFiles } = options;
    const { named, product, refused } = await facts();
    const tested = testFiles?.() ?? [];
    const protect = [...given.protect, ...refused.map((path) => `/${path}`)];
    return protectionRules({ protect, allow, extra: [...named, ...added], tested, product });
  };
  return {
    prepare() {
      facts().catch(() => {});
    },
    audit: createAudit(options, rulesNow, async () => (await facts()).installed),
    protectFrom(tree, files) {
      workspace.base = tree;
      added = files;
      known = undefined;
    },
    examined: () => examined,
    async restoreProtected() {
      examined = undefined;
      const rules = await rulesNow();
      workspace.repair?.();
      const { folders, installed } = await facts();
      const shadowing = isCopy(options)
        ? removeShadowing({ root: workspace.root, repository: options.repository, folders, installed })
        : [];
      const now = await workspace.checkpoint();
      const changes = await snapshots.entryChanges(workspace.base, now);
      const findings = await findForbidden(changes, rules, options);
      if (findings.length > 0) {
        const edits = findings.map(({ edit }) => edit);
        await snapshots.restoreTree(workspace.root, await snapshots.amend(now, edits));
      }
      const hidden = await removeHidden(changes, rules, options);
      if (findings.length + hidden.length === 0) examined = now;
      const left = changes.filter(({ path }) => !findings.some(({ edit }) => edit.path.equals(path)));
      // Imported here because it loads a parser, which most commands do not need.
      const { findSuppressions } = await import('./sources.ts');
      const quieted = await findSuppressions(left, { checks, rules }, snapshots);
      const nested = ((await workspace.changedNested?.()) ?? []).map(nestedChanged);
      return [...findings.map(({ tampering }) => tampering), ...hidden, ...shadowing, ...quieted, ...nested];
    },
  };
}

function nestedChanged(file: string): Tampering {
  const detail = `${file} belongs to another repository in yours and was changed. In your own tree, such a change is neither judged nor taken back. Put it back as it was.`;
  return { kind: 'dependency_changed', file, detail };
}

/** The workspace with a base that can be replaced. */
function withOwnBase(workspace: GuardedWorkspace): {
  -readonly [Key in keyof GuardedWorkspace]: GuardedWorkspace[Key];
} {
  let { base } = workspace;
  return Object.create(workspace, {
    base: { get: () => base, set: (tree: TreeId) => void (base = tree) },
  }) as ReturnType<typeof withOwnBase>;
}
