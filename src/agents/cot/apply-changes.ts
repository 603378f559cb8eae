import { messageOf } from '../../errors.ts';
import type { ModelTool } from '../llm/client.ts';
import type { Action } from '../../schema/generated.ts';
import type { EditInput } from '../tools/edit.ts';
import { createTools } from '../tools/index.ts';
import type { WriteInput } from '../tools/write.ts';
import type { AnsweredFiles } from './answered-files.ts';
import type { FileChange } from './file-drafts.ts';
import { objectionToWhole } from './whole-file.ts';

export interface ApplyRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly files: AnsweredFiles;
  /** Files that the model saw only parts of. */
  readonly cut: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onAction: (action: Action) => void;
}

export interface Applied {
  /** Paths of the files that were changed. */
  readonly changed: readonly string[];
  /** Why the other changes could not be made, a sentence or more each. */
  readonly problems: readonly string[];
}

/** Makes the changes of an answer, as far as they can be made. */
export async function applyChanges(changes: readonly FileChange[], request: ApplyRequest): Promise<Applied> {
  const changed = new Set<string>();
  const problems: string[] = [];
  for (const change of changes) {
    const result = await applyChange(change, request);
    if (result.made > 0) changed.add(change.path);
    problems.push(...result.problems);
  }
  return { changed: [...changed], problems };
}

interface Result {
  readonly made: number;
  readonly problems: readonly string[];
}

async function applyChange(change: FileChange, request: ApplyRequest): Promise<Result> {
  if (change.kind === 'edits') return applyEdits(change, request);
  const { path } = change;
  const before = request.files.textOf(path);
  const text = withLineEndsOf(before, change.text);
  const objection = objectionTo(change, before, request);
  if (objection !== undefined) return { made: 0, problems: [`${path}: ${objection}`] };
  if (before === text) return { made: 0, problems: [`${path}: the answer has the text that is there.`] };
  return call('write', { path, content: text }, request);
}

function objectionTo(
  { path, kind, text }: Exclude<FileChange, { readonly kind: 'edits' }>,
  before: string | undefined,
  { cut }: ApplyRequest,
): string | undefined {
  if (before === undefined || before.trim() === '') return undefined;
  if (kind === 'new')
    return 'the file is there already, and a block with an empty SEARCH only makes a new one.';
  return objectionToWhole(before, text, cut.has(path));
}

/** An answer has LF; a file that ends its lines by CRLF keeps them. */
function withLineEndsOf(before: string | undefined, text: string): string {
  return before?.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/** All blocks of a file on the file as it was; where they do not go together, each by itself. */
async function applyEdits(
  { path, edits }: Extract<FileChange, { readonly kind: 'edits' }>,
  request: ApplyRequest,
): Promise<Result> {
  const together: Action[] = [];
  const all = await call(
    'edit',
    { path, edits },
    { ...request, onAction: (action) => together.push(action) },
  );
  if (all.made > 0 || edits.length === 1) {
    together.forEach(request.onAction);
    return all;
  }
  const problems: string[] = [];
  let made = 0;
  for (const [index, edit] of edits.entries()) {
    const result = await call('edit', { path, edits: [edit] }, request);
    made += result.made;
    problems.push(...result.problems.map((problem) => `Block ${index + 1} of ${edits.length}, ${problem}`));
  }
  return { made, problems };
}

async function call(
  name: 'edit' | 'write',
  input: EditInput | WriteInput,
  request: ApplyRequest,
): Promise<Result> {
  const { root, signal, onAction } = request;
  // Paths of an answer are the repository's, whatever package is worked on.
  const tool: ModelTool = createTools({ root, cwd: '.', bashTimeoutMs: 0, onAction })[name]!;
  try {
    await tool.run(input as never, signal);
    return { made: 1, problems: [] };
  } catch (error) {
    return { made: 0, problems: [`${input.path}: ${messageOf(error)}`] };
  }
}
