import { join } from 'node:path';
import { requestFor, type CheckSettings } from '../../checks/requests.ts';
import { runSharedSetup } from '../../checks/run/setup.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { StrengthRequest } from '../../ports/acceptance.ts';
import { withTexts } from '../../repair/trial/temporary-files.ts';
import { BUILDING, builtFolderOf, type BuiltFolder } from '../delivery/rebuilt-files.ts';

/** Settings whose tests build first, and what puts the built files back afterwards. */
export interface BuiltTrials {
  readonly options: CheckSettings;
  readonly end: () => Promise<void>;
}

/**
 * Where a change has sources and what is built from them, and the tests do not build: settings in which they do, so that they can
 * notice what is taken back in a source. Only if the build makes the built files as they are; else the settings as they are.
 */
export async function buildInTrials(options: CheckSettings, request: StrengthRequest): Promise<BuiltTrials> {
  const unchanged = { options, end: () => Promise.resolve() };
  const { root, changes, signal } = request;
  const files = changes.files.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const found = files.flatMap((path) => builtFolderOf(path, root, BUILDING) ?? []);
  const [first] = found;
  const built = files.filter((path) => builtFolderOf(path, root, BUILDING) !== undefined);
  if (first === undefined || built.length === files.length || found.some((it) => !isSame(it, first)))
    return unchanged;
  const command = `npm run ${first.script}`;
  const checks = options.plan.checks.map((check) =>
    check.cwd === first.folder && check.setup.length === 0 ? { ...check, setup: [command] } : check,
  );
  const building = checks.filter((check, at) => check !== options.plan.checks[at]);
  if (building.length === 0) return unchanged;
  const build = () => runSharedSetup(building.slice(0, 1), requestFor(options, { root, signal }));
  const texts = new Map(built.map((path) => [path, textOf(join(root, path))]));
  const isAsBuilt = await withTexts(root, texts, async () => {
    const failed = await build();
    return failed.size === 0 && [...texts].every(([path, text]) => textOf(join(root, path)) === text);
    // What cannot be built or read back is measured as it is.
  }).catch(() => false);
  if (!isAsBuilt) return unchanged;
  return {
    options: { ...options, plan: { ...options.plan, checks } },
    end: async () => void (await build().catch(() => undefined)),
  };
}

function isSame(a: BuiltFolder, b: BuiltFolder): boolean {
  return a.folder === b.folder && a.built === b.built;
}
