import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type ts from 'typescript';
import { type ProjectRepair, type RepairRequest, repairProject } from './type-repair.ts';
import { openServiceProject, projectsOf } from './type-service.ts';

/** The request that the process reads from stdin as JSON. */
export interface TypeFixRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute path of the tsconfig. */
  readonly config: string;
  /** Absolute path of the compiler that the check runs, if known. */
  readonly bin?: string;
  /** Files with type errors that may be changed, relative to the root. */
  readonly files: readonly string[];
  /** Tests run the code and all of them pass. */
  readonly isCodeTested: boolean;
  /** Only names that TypeScript itself says are misspelt are corrected. */
  readonly isSpellingOnly: boolean;
  /** File for the result; absolute, or relative to the root. */
  readonly output: string;
  readonly timeoutMs: number;
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
  const repair = { ...request, deadline: performance.now() + request.timeoutMs };
  const installed = loadTypeScript(request.config);
  if ('api' in installed) return await fixWithService(installed.api, repair);
  if (request.bin === undefined) return { ...NOTHING, reason: installed.reason };
  try {
    return await fixWithServer({ ...repair, bin: request.bin });
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    return { ...NOTHING, reason: `${installed.reason} Its language server failed: ${why}.` };
  }
}

const NOTHING = { changes: [], actions: [], errorsBefore: 0, errorsAfter: 0 };

type Repair = TypeFixRequest & RepairRequest;

async function fixWithService(api: typeof ts, repair: Repair): Promise<TypeFixes> {
  const results: ProjectRepair[] = [];
  for (const config of projectsOf(api, repair.config)) {
    results.push(await repairProject(openServiceProject(api, config), repair));
  }
  return sumOf(results);
}

/** Starts one server for each project: a server assigns files to configurations when it starts. */
async function fixWithServer(repair: Repair & { readonly bin: string }): Promise<TypeFixes> {
  const { startLanguageServer } = await import('./language-client.ts');
  const { openServerProject, serverProjects } = await import('./type-server.ts');
  const results: ProjectRepair[] = [];
  for (const { config, files } of await serverProjects(repair.bin, repair.config)) {
    const client = await startLanguageServer({ ...repair, config });
    try {
      results.push(await repairProject(openServerProject(client, files), repair));
    } finally {
      client.close();
    }
  }
  return sumOf(results);
}

function sumOf(results: readonly ProjectRepair[]): ProjectRepair {
  return {
    changes: results.flatMap(({ changes }) => changes),
    actions: results.flatMap(({ actions }) => actions),
    errorsBefore: results.reduce((sum, { errorsBefore }) => sum + errorsBefore, 0),
    errorsAfter: results.reduce((sum, { errorsAfter }) => sum + errorsAfter, 0),
  };
}

/** The JavaScript interface of the repository's own TypeScript, or why there is none. */
function loadTypeScript(config: string): { api: typeof ts } | { reason: string } {
  try {
    const api = createRequire(config)('typescript') as Partial<typeof ts>;
    if (typeof api.createLanguageService === 'function') return { api: api as typeof ts };
    return {
      reason: `The installed TypeScript ${api.version ?? ''} has no language service for JavaScript.`,
    };
  } catch {
    return { reason: 'TypeScript is not installed.' };
  }
}

/** As a program: reads a request from stdin and writes the result to its `output`. */
if (process.argv[1] === import.meta.filename) {
  const request = JSON.parse(await readText(process.stdin)) as TypeFixRequest;
  const output = isAbsolute(request.output) ? request.output : join(request.root, request.output);
  writeFileSync(output, JSON.stringify(await fixTypes(request)));
}
