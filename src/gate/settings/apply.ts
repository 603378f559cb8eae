import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../../errors.ts';
import { writeDurably } from '../../platform/files/durable-write.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import { addToArray, NotEditable, removeFromArray } from './edit-json.ts';
import { forgetTextBefore, noteTextBefore, textBefore } from './text-before.ts';
import { MARK, type HookFile, type JsonHookFile, type WholeHookFile } from './hook-file.ts';

/** What happened to a file: as a word for the user. */
export type Outcome = 'written' | 'there already' | 'removed' | 'not there';

/** Writes the hooks into a file; whatever else is in it stays. Throws RalphError if that cannot be done. */
export function writeHooks(root: string, file: HookFile): Promise<Outcome> {
  return file.kind === 'json' ? writeEntries(root, file) : writeWhole(root, file);
}

/** Removes the hooks of ralph from a file, and a file that then holds nothing. Throws RalphError if that cannot be done. */
export function removeHooks(root: string, file: HookFile): Promise<Outcome> {
  return file.kind === 'json' ? removeEntries(root, file) : removeWhole(root, file);
}

async function writeEntries(root: string, file: JsonHookFile): Promise<Outcome> {
  const path = join(root, file.path);
  const before = readIfThere(path);
  // Entries of an earlier version, or with other options, are replaced.
  const original =
    before === undefined
      ? undefined
      : (textBefore(path, before) ?? edit(file, () => withoutOurs(before, file)));
  const edited = edit(file, () => withEntries(withoutOurs(original ?? file.fresh, file), file));
  if (edited === before) return 'there already';
  await replace(path, edited, file);
  if (original !== undefined && takenOut(edited, file) !== original)
    await noteTextBefore(path, original, edited);
  return 'written';
}

async function removeEntries(root: string, file: JsonHookFile): Promise<Outcome> {
  const path = join(root, file.path);
  const before = readIfThere(path);
  if (before === undefined) return 'not there';
  const original = textBefore(path, before);
  if (original !== undefined) {
    await replace(path, original, file);
    forgetTextBefore(path);
    return 'removed';
  }
  const after = edit(file, () => withoutOurs(before, file), true);
  if (after === before) return 'not there';
  // A link leads to settings that are kept elsewhere.
  if (isEmpty(after) && !isLink(path)) {
    refuseReadOnly(path, file);
    rmSync(path);
  } else await replace(path, after, file);
  forgetTextBefore(path);
  return 'removed';
}

/** The text of a file without the hooks; undefined if nothing is left and the file goes. */
function takenOut(text: string, file: JsonHookFile): string | undefined {
  const after = withoutOurs(text, file);
  return isEmpty(after) ? undefined : after;
}

function isEmpty(text: string): boolean {
  return /^\{\s*\}\s*$/.test(text);
}

function withEntries(text: string, { entries }: JsonHookFile): string {
  return entries.reduce((rest, { list, value }) => addToArray(rest, list, value), text);
}

function withoutOurs(text: string, { entries }: JsonHookFile): string {
  return entries.reduce((rest, { list }) => removeFromArray(rest, list, (value) => MARK.test(value)), text);
}

function edit(file: JsonHookFile, act: () => string, isRemoval = false): string {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    if (isRemoval)
      throw refused(
        `${file.path} was not changed: ${error.message}.`,
        'Correct it, or remove by hand what calls "ralph gate".',
      );
    const wanted = JSON.stringify(JSON.parse(withEntries(file.fresh, file)));
    throw refused(
      `${file.path} was not changed: ${error.message}.`,
      `Correct it, or add this by hand: ${wanted}`,
    );
  }
}

async function writeWhole(root: string, file: WholeHookFile): Promise<Outcome> {
  const path = absolute(root, file.path);
  const before = readIfThere(path);
  if (before === file.text) return 'there already';
  if (before !== undefined && !isOurs(before))
    throw refused(
      `${file.path} was not changed: it exists, and ralph did not write it.`,
      `Add this to it by hand: ${file.byHand}`,
    );
  await replace(path, file.text, file);
  return 'written';
}

function removeWhole(root: string, file: WholeHookFile): Promise<Outcome> {
  const path = absolute(root, file.path);
  const before = readIfThere(path);
  if (before === undefined || !isOurs(before)) return Promise.resolve('not there');
  refuseReadOnly(path, file);
  rmSync(path);
  return Promise.resolve('removed');
}

/** Files of ralph say so, and call the gate. */
function isOurs(text: string): boolean {
  return /ralph init --hooks/.test(text);
}

function absolute(root: string, path: string): string {
  return isAbsolute(path) ? path : join(root, path);
}

async function replace(path: string, text: string, file: HookFile): Promise<void> {
  refuseReadOnly(path, file);
  const isNew = !existsSync(path);
  if (isNew && isLink(path))
    throw refused(
      `${file.path} was not changed: it is a link to nothing.`,
      'Correct the link, or remove it.',
    );
  // A link stays, and the file that it leads to is written.
  const target = isNew ? path : realpathSync(path);
  const mode = file.kind === 'whole' && file.isExecutable ? 0o755 : isNew ? 0o644 : modeOf(target);
  await writeDurably(target, text, { mode });
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A file without a right to write was protected by somebody: replacing it would go around that. */
function refuseReadOnly(path: string, { path: shown }: HookFile): void {
  if (!existsSync(path)) return;
  try {
    accessSync(path, constants.W_OK);
    if ((modeOf(realpathSync(path)) & 0o222) !== 0) return;
  } catch {
    // Said below.
  }
  throw refused(`${shown} was not changed: it is read-only.`, `Make it writable: chmod u+w ${shown}`);
}

function modeOf(path: string): number {
  return (statOf(path)?.mode ?? 0o644) & 0o777;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refused(`${path} cannot be read: ${messageOf(error)}.`, 'Check what it is, and its permissions.');
  }
}

function refused(message: string, hint: string): RalphError {
  return new RalphError(message, { code: 'workspace_unwritable', exitCode: ExitCode.workspace, hint });
}
