import { createRequire } from 'node:module';
import type ts from 'typescript';
import type { TypeProject } from './type-project.ts';
import { openServiceProject, projectsOf } from './type-service.ts';

/** The projects of a type check. */
export interface ProjectsRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Absolute path of the tsconfig. */
  readonly config: string;
  /** Absolute path of the compiler that the check runs, if known. */
  readonly bin?: string;
  readonly timeoutMs: number;
}

/** One result for each project; without one, `reason` is a sentence that says why. */
export interface ProjectResults<T> {
  readonly results: readonly T[];
  readonly reason?: string;
}

/**
 * Opens each project of a configuration file, one after the other, through the JavaScript interface of the installed
 * TypeScript, or through its language server if it has no such interface (TypeScript 7). Rejects if a project cannot be opened.
 */
export async function inEachProject<T>(
  request: ProjectsRequest,
  use: (project: TypeProject) => Promise<T>,
): Promise<ProjectResults<T>> {
  const installed = loadTypeScript(request.config);
  if ('api' in installed) {
    const results: T[] = [];
    for (const config of projectsOf(installed.api, request.config))
      results.push(await use(openServiceProject(installed.api, config)));
    return { results };
  }
  if (request.bin === undefined) return { results: [], reason: installed.reason };
  try {
    return { results: await inEachServer({ ...request, bin: request.bin }, use) };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    return { results: [], reason: `${installed.reason} Its language server failed: ${why}.` };
  }
}

/** Starts one server for each project: a server assigns files to configurations when it starts. */
async function inEachServer<T>(
  request: ProjectsRequest & { readonly bin: string },
  use: (project: TypeProject) => Promise<T>,
): Promise<T[]> {
  const { startLanguageServer } = await import('./language-client.ts');
  const { openServerProject, serverProjects } = await import('./type-server.ts');
  const deadline = performance.now() + request.timeoutMs;
  const results: T[] = [];
  for (const { config, files } of await serverProjects(request.bin, request.config)) {
    const client = await startLanguageServer({ ...request, config, deadline });
    try {
      results.push(await use(openServerProject(client, files)));
    } finally {
      client.close();
    }
  }
  return results;
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
