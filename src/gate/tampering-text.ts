import type { Tampering } from '../schema/generated.ts';

/** Sentences for changes that a loop would undo and the gate leaves in the user's tree. */
const BY_KIND: Partial<Record<Tampering['kind'], (file: string) => string>> = {
  protected_deleted: (file) => `${file} was deleted, but the verdict depends on it. Put it back as it was.`,
  protected_edited: (file) =>
    `${file} was edited, but the verdict depends on it. Put it back as it was; new tests go into a new file.`,
  protected_added: (file) => `${file} was added and changes how the checks run. Remove it.`,
  manifest_edited: (file) =>
    `Scripts or settings in ${file} that decide how the checks run were changed. Put them back as they were.`,
};

/** One sentence on a forbidden change, or two, for the agent that made it. */
export function describeTampering({ kind, file, detail }: Tampering): string {
  return file === '' ? detail : (BY_KIND[kind]?.(file) ?? detail);
}
