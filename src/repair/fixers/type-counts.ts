/** Runs as a separate process: counts the type errors that each of several edits leaves. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { inEachProject, type ProjectsRequest } from './open-projects.ts';
import type { TypeProject } from './type-project.ts';

/** The request that the process reads from stdin as JSON. */
export interface TypeCountsRequest extends ProjectsRequest {
  /** Files whose errors are counted, relative to the root. */
  readonly files: readonly string[];
  /** The text of one file, relative to the root, after each edit. */
  readonly edits: readonly { readonly file: string; readonly text: string }[];
  /** Absolute path of the file for the result. */
  readonly output: string;
}

/** Numbers of errors; those of the edits in their order, as many as were counted in time. */
export interface TypeCounts {
  readonly before: number;
  readonly after: readonly number[];
}

async function countAll(project: TypeProject, request: TypeCountsRequest): Promise<TypeCounts> {
  const { root, files, edits, timeoutMs } = request;
  const deadline = performance.now() + timeoutMs;
  const own = new Set(project.files);
  const paths = new Set([...files, ...edits.map(({ file }) => file)].map((file) => join(root, file)));
  const counted = [...paths].filter((path) => own.has(path));
  const errors = async (): Promise<number> =>
    (await Promise.all(counted.map((path) => project.errorsOf(path)))).flat().length;
  const before = await errors();
  const after: number[] = [];
  for (const { file, text } of edits) {
    if (performance.now() > deadline) break;
    const path = join(root, file);
    const original = project.textOf(path);
    if (own.has(path)) project.setText(path, text);
    after.push(own.has(path) ? await errors() : before);
    if (own.has(path)) project.setText(path, original);
  }
  return { before, after };
}

/** An edit is counted if it is in time in every project. */
function sumOf(results: readonly TypeCounts[], edits: number): TypeCounts {
  const counted = Math.min(edits, ...results.map(({ after }) => after.length));
  return {
    before: results.reduce((sum, { before }) => sum + before, 0),
    after: Array.from({ length: results.length === 0 ? 0 : counted }, (_, at) =>
      results.reduce((sum, { after }) => sum + after[at]!, 0),
    ),
  };
}

const request = JSON.parse(await readText(process.stdin)) as TypeCountsRequest;
const { results } = await inEachProject(request, (project) => countAll(project, request));
writeFileSync(request.output, JSON.stringify(sumOf(results, request.edits.length)));
