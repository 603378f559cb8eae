import type { RemoteDesk } from '../../platform/git/remote.ts';

/** A patch of more files is not tried part by part. */
const MAX_PARTS = 100;

interface IndexedPatch {
  /** As git writes it. */
  readonly patch: Buffer;
  readonly head: string;
  readonly indexFile: string;
}

/**
 * Applies a patch to a new index of its head. A checkout may have CRLF where the repository stores LF (`text eol=crlf` in
 * .gitattributes): a patch of such files is applied with the line ends that are stored. Returns what git says against it.
 */
export async function applyToIndex(
  desk: RemoteDesk,
  { patch, head, indexFile }: IndexedPatch,
): Promise<string | undefined> {
  const apply = async (input: Buffer): Promise<string | undefined> => {
    const applied = await desk.run(['apply', '--cached', '--whitespace=nowarn', '-'], { indexFile, input });
    return applied.exitCode === 0 ? undefined : applied.stderr.replace(/\s+/g, ' ').trim().slice(0, 300);
  };
  await desk.git(['read-tree', head], { indexFile });
  const failed = await apply(patch);
  if (failed === undefined) return undefined;
  // latin1 keeps every byte.
  const parts = filesOfPatch(patch.toString('latin1'));
  if (parts.length > MAX_PARTS) return failed;
  for (const part of parts.filter((it) => !addsFile(it))) {
    const asStored = withLineFeeds(part);
    if ((await apply(Buffer.from(part, 'latin1'))) === undefined) continue;
    if (asStored === undefined || (await apply(Buffer.from(asStored, 'latin1'))) !== undefined) return failed;
  }
  for (const part of parts.filter(addsFile)) {
    const said = await apply(Buffer.from(withLineFeeds(part) ?? part, 'latin1'));
    if (said !== undefined) return said;
  }
  return undefined;
}

/** The parts of a patch, one a file. */
function filesOfPatch(patch: string): string[] {
  return patch.split(/^(?=diff --git )/m).filter((part) => part !== '');
}

/** True for the part of a file that the patch adds. */
function addsFile(part: string): boolean {
  return /^new file mode /m.test(part.split('\n@@', 1)[0]!);
}

/** The part with LF in its lines; undefined unless every line has CRLF. A last line without an end has neither. */
function withLineFeeds(part: string): string | undefined {
  const start = part.search(/^@@ /m);
  if (start === -1) return undefined;
  const lines = part.slice(start).split('\n');
  const isText = (at: number): boolean =>
    /^[ +-]/.test(lines[at]!) && lines[at + 1]?.startsWith('\\') !== true;
  if (!lines.every((line, at) => !isText(at) || line.endsWith('\r'))) return undefined;
  const changed = lines.map((line, at) => (isText(at) ? line.slice(0, -1) : line));
  return part.slice(0, start) + changed.join('\n');
}
