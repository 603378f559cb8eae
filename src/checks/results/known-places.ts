import { linesInTree } from '../../platform/files/lines-in-tree.ts';
import { placeInSource } from '../../platform/files/place-in-source.ts';
import type { Diagnostic, StackFrame } from '../../schema/generated.ts';

/**
 * The diagnostics with those of their places that the tree has: frames of files that do not exist, or of lines beyond their end,
 * are left out; a name that a build gave a function is the one that the file has, or none; and a place in a built file with a
 * source map is that in its source. Fingerprints stay.
 */
export function withKnownPlaces(diagnostics: readonly Diagnostic[], root: string): Diagnostic[] {
  const texts = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string): readonly string[] | undefined => {
    if (!texts.has(file)) texts.set(file, linesInTree(root, file));
    return texts.get(file);
  };
  const known = (frame: StackFrame): StackFrame[] => {
    const source = placeInSource(root, frame);
    const { column: _, ...rest } = frame;
    const placed: StackFrame = source === undefined ? frame : { ...rest, ...source };
    const lines = linesOf(placed.file);
    if (lines === undefined || placed.line > lines.length) return [];
    return [withKnownName(placed, lines)];
  };
  return diagnostics.map((one) => {
    if (one.frames === undefined && one.line === undefined) return one;
    const { file, line, column } = one;
    const own =
      file === undefined || line === undefined ? undefined : placeInSource(root, { file, line, column });
    const { column: _, ...rest } = one;
    const placed: Diagnostic = own === undefined ? one : { ...rest, ...own };
    const frames = one.frames?.flatMap(known);
    if (frames === undefined) return placed;
    const { frames: __, ...bare } = placed;
    return frames.length === 0 ? bare : { ...placed, frames };
  });
}

/** A frame without a name that its file does not have: bundlers number names that stand twice. */
function withKnownName({ function: name, ...place }: StackFrame, lines: readonly string[]): StackFrame {
  const last = name === undefined ? undefined : /([\w$]+)(?: \[as [^\]]*\])?$/.exec(name)?.[1];
  if (name === undefined || last === undefined)
    return name === undefined ? place : { ...place, function: name };
  const has = (word: string): boolean => lines.some((text) => text.includes(word));
  if (/<anonymous>/.test(name) || has(last)) return { ...place, function: name };
  const plain = last.replace(/\d+$/, '');
  return plain !== '' && plain !== last && has(plain) ? { ...place, function: plain } : place;
}
