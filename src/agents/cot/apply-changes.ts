import { messageOf } from '../../errors.ts';
import type { ModelTool } from '../llm/client.ts';
import type { Action } from '../../schema/generated.ts';
import type { EditInput } from '../tools/edit.ts';
import { createTools } from '../tools/index.ts';
import type { WriteInput } from '../tools/write.ts';
import type { WorkspaceFiles } from '../shown-files/workspace-files.ts';
import type { FileChange } from './file-drafts.ts';
import { wholeFileProblem } from './whole-file.ts';

export interface ApplyRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly files: WorkspaceFiles;
  /** Paths of the files shown only in part. */
  readonly cut: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onAction: (action: Action) => void;
}

export interface Applied {
  /** Paths of the changed files. */
  readonly changed: readonly string[];
  /** One problem for each change that could not be made. */
  readonly problems: readonly string[];
}

/** Applies the changes of an answer; a change that fails does not keep the others from being made. */
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
  const before = request.files.readText(path);
  const text = withLineEndsOf(before, change.text);
  const problem = problemOf(change, before, request);
  if (problem !== undefined) return { made: 0, problems: [`${path}: ${problem}`] };
  if (before === text) return { made: 0, problems: [`${path}: the answer does not change the file.`] };
  return call('write', { path, content: text }, request);
}

function problemOf(
  { path, kind, text }: Exclude<FileChange, { readonly kind: 'edits' }>,
  before: string | undefined,
  { cut }: ApplyRequest,
): string | undefined {
  if (before === undefined || before.trim() === '') return undefined;
  if (kind === 'new') return 'the file exists already; a block with an empty SEARCH only creates a new file.';
  return wholeFileProblem(before, text, cut.has(path));
}

/** The text of an answer with CRLF if the file has CRLF. */
function withLineEndsOf(before: string | undefined, text: string): string {
  return before?.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/** Applies all blocks of a file at once; if that fails, one after the other. */
async function applyEdits(
  { path, edits }: Extract<FileChange, { readonly kind: 'edits' }>,
  request: ApplyRequest,
): Promise<Result> {
  const actions: Action[] = [];
  const all = await call('edit', { path, edits }, { ...request, onAction: (action) => actions.push(action) });
  if (all.made > 0 || edits.length === 1) {
    actions.forEach(request.onAction);
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
  // The paths of an answer are relative to the root, not to the package.
  const tool: ModelTool = createTools({ root, cwd: '.', bashTimeoutMs: 0, onAction })[name]!;
  try {
    await tool.run(input as never, signal);
    return { made: 1, problems: [] };
  } catch (error) {
    return { made: 0, problems: [`${input.path}: ${messageOf(error)}`] };
  }
}
