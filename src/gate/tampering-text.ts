import type { Tampering } from '../schema/generated.ts';

/** Sentences for changes that a loop would undo and the gate leaves in the user's tree. */
const BY_KIND: Partial<Record<Tampering['kind'], (file: string, detail: string) => string>> = {
  protected_deleted: (file) => `${file} was deleted, but the verdict depends on it. Put it back as it was.`,
  protected_edited: (file) =>
    `${file} was edited, but the verdict depends on it. Put it back as it was; new tests go into a new file.`,
  protected_added: (file) => `${file} was added and changes how the checks run. Remove it.`,
  manifest_edited: (file, detail) =>
    `In ${file}, what decides how the checks run was changed (${CHANGED_KEYS.exec(detail)?.[1] ?? 'settings'}). Put it back as it was.`,
};

/** The keys of package.json that a finding names. */
const CHANGED_KEYS = / had (.*) changed; /;

/** One sentence on a forbidden change, or two, for the agent that made it. */
export function describeTampering({ kind, file, detail }: Tampering): string {
  return file === '' ? detail : (BY_KIND[kind]?.(file, detail) ?? detail);
}
