import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { git, type GitRequest } from '../../platform/git/git.ts';
import { ralphFolder } from '../../platform/ralph-folder.ts';

/** Objects of a loop's snapshots that are not in the repository itself. */
export interface SnapshotObjects {
  /** The objects that have come since the last ones that were stored. */
  newPacks(): Promise<NewPacks>;
}

export interface NewPacks {
  readonly packs: readonly Buffer[];
  /** To be called when they are in the database. Until then, they are new. */
  stored(): void;
}

/**
 * Watches the objects of the snapshots of the repository at `root`. The snapshots read the repository's own objects, so
 * that only what the loop has changed is stored a second time. To be called before the loop is opened.
 */
export function watchSnapshotObjects(root: string): SnapshotObjects {
  const own = { cwd: root, gitDir: ralphFolder(root).snapshots() };
  const objects = join(own.gitDir, 'objects');
  const sent = new Set<string>();
  let committed: ReadonlySet<string> | undefined;
  mkdirSync(join(objects, 'info'), { recursive: true });
  writeFileSync(join(objects, 'info', 'alternates'), `${join(root, '.git', 'objects')}\n`);

  /** Objects that the repository has by chance, such as those of another branch: another machine may not have them. */
  const borrowed = async (trees: readonly string[]): Promise<string[]> => {
    if (trees.length === 0) return [];
    committed ??= new Set(await objectsOf(['HEAD^{tree}'], { cwd: root }));
    return (await objectsOf(trees, own)).filter((id) => !committed!.has(id));
  };
  return {
    async newPacks() {
      const packs = packFiles(objects).filter((name) => !sent.has(name));
      const found: Buffer[] = packs.map((name) => readFileSync(join(objects, 'pack', name)));
      const trees = pinnedTrees(own.gitDir).filter((id) => !sent.has(id));
      const listed = await Promise.all(packs.map((name) => idsInPack(join(objects, 'pack', name))));
      const inPacks = new Set(listed.flat());
      const ids = [...new Set([...looseObjects(objects), ...(await borrowed(trees))])].filter(
        (id) => !sent.has(id) && !inPacks.has(id),
      );
      if (ids.length > 0) {
        const input = `${ids.join('\n')}\n`;
        found.push(await git(['pack-objects', '--quiet', '--stdout'], { ...own, input }));
      }
      const stored = (): void => {
        for (const name of [...ids, ...packs, ...inPacks, ...trees]) sent.add(name);
      };
      return { packs: found, stored };
    },
  };
}

async function objectsOf(trees: readonly string[], request: GitRequest): Promise<string[]> {
  return linesOf(await git(['rev-list', '--objects', '--no-object-names', ...trees], request));
}

const PINS = 'refs/ralph';

/** The trees that loops have kept, read from the files of the refs: a program for each save would cost more than the save. */
function pinnedTrees(gitDir: string): string[] {
  const packed = readIfThere(join(gitDir, 'packed-refs'));
  const pins = new Map(
    [...packed.matchAll(/^([0-9a-f]{40}) (refs\/ralph\/.+)$/gm)].map(([, id, name]) => [name!, id!]),
  );
  for (const path of filesBelow(join(gitDir, PINS))) {
    const [id] = /^[0-9a-f]{40}$/m.exec(readIfThere(join(gitDir, PINS, path))) ?? [];
    if (id !== undefined && !path.endsWith('.lock')) pins.set(`${PINS}/${path}`, id);
  }
  return [...new Set(pins.values())];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Relative to the folder; none if it is missing. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );
}

async function idsInPack(pack: string): Promise<string[]> {
  const input = readFileSync(pack.replace(/\.pack$/, '.idx'));
  const listed = await git(['show-index'], { cwd: dirname(pack), input });
  return [...listed.toString('latin1').matchAll(/(?<=^\d+ )[0-9a-f]{40}/gm)].map(([id]) => id);
}

function linesOf(output: Buffer): string[] {
  return output.toString('latin1').split('\n').filter(Boolean);
}

/** Adds packs to the snapshots of the repository at `root`, whose git directory is made if it is missing. */
export async function addPacks(root: string, packs: readonly Buffer[]): Promise<void> {
  if (packs.length === 0) return;
  const gitDir = ralphFolder(root).snapshots();
  if (!existsSync(join(gitDir, 'HEAD'))) {
    const init = [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      '--object-format=sha1',
      '--initial-branch=ralph',
    ];
    await git([...init, gitDir], { cwd: root });
  }
  for (const pack of packs) await git(['unpack-objects', '-q'], { cwd: root, gitDir, input: pack });
}

function looseObjects(objects: string): string[] {
  return readdirSync(objects)
    .filter((folder) => /^[0-9a-f]{2}$/.test(folder))
    .flatMap((folder) =>
      readdirSync(join(objects, folder))
        .filter((name) => /^[0-9a-f]{38}$/.test(name))
        .map((name) => folder + name),
    );
}

/** Git writes very large files into packs of their own. */
function packFiles(objects: string): string[] {
  const folder = join(objects, 'pack');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pack')) : [];
}
