import { writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { inEachProject, type ProjectsRequest } from './open-projects.ts';
import { type ProjectRepair, type RepairRequest, repairProject } from './type-repair.ts';

/** The request that the process reads from stdin as JSON. */
export interface TypeFixRequest extends ProjectsRequest {
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** Tests run the code and all of them pass. */
  readonly isCodeTested: boolean;
  /** Only names that TypeScript itself says are misspelt are corrected. */
  readonly isSpellingOnly: boolean;
  /** File for the result; absolute, or relative to the root. */
  readonly output: string;
}

/** The result that the process writes as JSON; the tree is not changed. */
export interface TypeFixes extends ProjectRepair {
  /** Why nothing more was fixed; one sentence. */
  readonly reason?: string;
}

/**
 * Fixes type errors within the time limit, through the JavaScript interface of the installed TypeScript, or through its
 * language server if it has no such interface (TypeScript 7). Rejects if the project cannot be opened.
 */
export async function fixTypes(request: TypeFixRequest): Promise<TypeFixes> {
  const repair: RepairRequest = { ...request, deadline: performance.now() + request.timeoutMs };
  const { results, reason } = await inEachProject(request, (project) => repairProject(project, repair));
  return { ...sumOf(results), ...(reason === undefined ? {} : { reason }) };
}

function sumOf(results: readonly ProjectRepair[]): ProjectRepair {
  return {
    changes: results.flatMap(({ changes }) => changes),
    actions: results.flatMap(({ actions }) => actions),
    errorsBefore: results.reduce((sum, { errorsBefore }) => sum + errorsBefore, 0),
    errorsAfter: results.reduce((sum, { errorsAfter }) => sum + errorsAfter, 0),
  };
}

/** As a program: reads a request from stdin and writes the result to its `output`. */
if (process.argv[1] === import.meta.filename) {
  const request = JSON.parse(await readText(process.stdin)) as TypeFixRequest;
  const output = isAbsolute(request.output) ? request.output : join(request.root, request.output);
  writeFileSync(output, JSON.stringify(await fixTypes(request)));
}
