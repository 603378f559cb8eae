import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../platform/git/git.ts';
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
  const gitDir = ralphFolder(root).snapshots();
  const objects = join(gitDir, 'objects');
  const sent = new Set<string>();
  mkdirSync(join(objects, 'info'), { recursive: true });
  writeFileSync(join(objects, 'info', 'alternates'), `${join(root, '.git', 'objects')}\n`);
  return {
    async newPacks() {
      const loose = looseObjects(objects).filter((id) => !sent.has(id));
      const packs = packFiles(objects).filter((name) => !sent.has(name));
      const found: Buffer[] = packs.map((name) => readFileSync(join(objects, 'pack', name)));
      if (loose.length > 0) {
        const input = `${loose.join('\n')}\n`;
        found.push(await git(['pack-objects', '--quiet', '--stdout'], { cwd: root, gitDir, input }));
      }
      const stored = (): void => {
        for (const name of [...loose, ...packs]) sent.add(name);
      };
      return { packs: found, stored };
    },
  };
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
