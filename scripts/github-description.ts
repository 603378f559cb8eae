/**
 * Writes `test/support/github/api.github.com.json`: of GitHub's own description of its REST API (@octokit/openapi, MIT), the
 * operations that ralph calls, with everything that they refer to and without prose. The package has 385 MB, so it is no
 * dependency. With `--check` nothing is written and a difference is an error. Needed after a new call of the API:
 *
 *     npm pack @octokit/openapi@23.0.2 && tar -xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
 *     node scripts/github-description.ts package/generated/api.github.com.json
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

type Fields = Record<string, unknown>;
interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Fields>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The routes of octokit, as they stand in the sources. */
const CALL = /['`]((?:GET|POST|PUT|PATCH|DELETE) \/repos\/\{owner\}[^'`]*)['`]/g;
const PROSE = /^(?:x-.*|description|examples?|summary|tags|externalDocs|title|operationId)$/;
const root = join(import.meta.dirname, '..');
const target = join(root, 'test', 'support', 'github', 'api.github.com.json');
const [source, option] = process.argv.slice(2);
if (source === undefined) throw new Error('Usage: node scripts/github-description.ts FILE [--check]');
const description = JSON.parse(readFileSync(source, 'utf8')) as Description;
const style = await resolveConfig(target);
const text = await format(JSON.stringify(extract(calledOperations())), { ...style, parser: 'json' });
if (option !== '--check') writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${target} differs from ${source}.`);
  process.exitCode = 1;
}

/** `POST /repos/{}/{}/pulls`, as the calls in the sources name them; the names of variables are their own. */
function calledOperations(): string[] {
  const files = globSync('src/ci/github/*.ts', { cwd: root });
  const found = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    return [...code.matchAll(CALL)].map(([, name]) => name!);
  });
  // One call names the last part by a variable.
  const written = found.flatMap((name) =>
    name.includes('${route}')
      ? ['blobs', 'trees', 'commits'].map((route) => name.replace('${route}', route))
      : [name],
  );
  return [...new Set(written.map(withoutNames))].sort();
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

function extract(operations: readonly string[]): object {
  const paths: Record<string, Fields> = {};
  const components: Record<string, Fields> = {};
  const follow = (reference: string): void => {
    const [, , kind = '', name = ''] = reference.split('/');
    const of = (components[kind] ??= {});
    if (name in of) return;
    of[name] = {};
    of[name] = withoutProse(description.components[kind]![name], follow);
  };
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const found = Object.keys(description.paths).find((it) => withoutNames(it) === path);
    const described = found && description.paths[found]![method.toLowerCase()];
    if (!found || !described) throw new Error(`GitHub describes no operation ${operation}.`);
    (paths[found] ??= {})[method.toLowerCase()] = withoutProse(described, follow);
  }
  return {
    source: 'https://www.npmjs.com/package/@octokit/openapi',
    license: 'MIT',
    ...description.info,
    paths,
    components,
  };
}

/** Keys below `properties` are names of fields, not words of the format. */
function withoutProse(value: unknown, follow: (reference: string) => void, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item, follow));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Fields = {};
  for (const [key, part] of Object.entries(value)) {
    if (!areNames && PROSE.test(key)) continue;
    if (key === '$ref' && typeof part === 'string') follow(part);
    kept[key] = withoutProse(part, follow, !areNames && key === 'properties');
  }
  return kept;
}
