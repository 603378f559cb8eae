import { join } from 'node:path';
import { removeFromTree, writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AcceptanceFile } from '../../schema/generated.ts';
import type { ReviewTests } from '../../ports.ts';
import type { VettedFile } from './vet-file.ts';

/** Vets a file that the user has edited; undefined if no test of it counts. `reject` receives the reasons. */
export type VetAgain = (
  file: AcceptanceFile,
  kept: readonly VettedFile[],
  reject: (sentence: string) => void,
) => Promise<VettedFile | undefined>;

export interface Reviewed {
  readonly files: readonly VettedFile[];
  /** Tests of the last edit that do not count, each as one sentence with the reason. */
  readonly rejected: readonly string[];
}

/** The files are shown again while a test that the user has edited does not count. */
const ROUNDS = 3;
const NOTE = '// ralph: ';
const HELP = [
  'These tests decide later whether the task is done. Save and quit to accept them as they are.',
  'Edit a test, or delete it to drop it; an empty file drops all of its tests. Lines like this one are removed.',
];

/** A file as the user left it. */
interface Draft {
  readonly path: string;
  readonly text: string;
  /** Undefined if none of its tests counts. */
  readonly vetted: VettedFile | undefined;
}

/** Shows the files to the user, and vets what the user changes. Rejects, with every file removed, as `review` does. */
export async function reviewFiles(
  files: readonly VettedFile[],
  { root, review, vet }: { readonly root: string; readonly review: ReviewTests; readonly vet: VetAgain },
): Promise<Reviewed> {
  let drafts: Draft[] = [];
  for (const vetted of files)
    drafts.push({ path: vetted.path, text: await textAt(root, vetted.path), vetted });
  let problems: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const shown = drafts;
    const texts = await edit(shown, problems, { root, review }).catch(async (error: unknown) => {
      for (const { path, vetted } of shown) await remove(root, path, vetted);
      throw error;
    });
    problems = [];
    drafts = [];
    for (const [index, before] of shown.entries()) {
      const { path, vetted } = before;
      const text = texts[index]!;
      if (text === before.text) {
        drafts.push(before);
        continue;
      }
      await remove(root, path, vetted);
      if (text.trim() === '') continue;
      const kept = drafts.flatMap((draft) => draft.vetted ?? []);
      const again = await vet({ path, content: text }, kept, (sentence) => void problems.push(sentence));
      drafts.push({ path, text, vetted: again });
    }
    if (problems.length === 0) break;
  }
  return { files: drafts.flatMap(({ vetted }) => vetted ?? []), rejected: problems };
}

interface Editing {
  readonly root: string;
  readonly review: ReviewTests;
}

/** The texts after the user has edited them; empty for a file that the user has removed. Restores the files. */
async function edit(
  drafts: readonly Draft[],
  problems: readonly string[],
  { root, review }: Editing,
): Promise<string[]> {
  const notes = [...HELP, ...problems].map((line) => `${NOTE}${line.replaceAll(/\s+/g, ' ')}\n`).join('');
  const now: (string | undefined)[] = [];
  for (const { path, vetted } of drafts) now.push(vetted && (await textAt(root, path)));
  for (const { path, text } of drafts) {
    writeInTree(root, path, notes + text);
  }
  await review(drafts.map(({ path }) => join(root, path)));
  const texts: string[] = [];
  for (const { path } of drafts) texts.push(withoutNotes(await textAt(root, path)));
  for (const [index, { path }] of drafts.entries()) {
    const text = now[index];
    if (text === undefined) removeFromTree(root, path);
    else writeInTree(root, path, text);
  }
  return texts;
}

function withoutNotes(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => !line.startsWith(NOTE.trimEnd()))
    .join('');
}

/** Empty for a file that does not exist. */
async function remove(root: string, path: string, vetted: VettedFile | undefined): Promise<void> {
  if (vetted === undefined) removeFromTree(root, path);
  else await vetted.remove();
}

function textAt(root: string, path: string): Promise<string> {
  return readTreeText(join(root, path)).catch(() => '');
}
