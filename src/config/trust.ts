import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { stateFolder } from '../platform/files/state-folder.ts';
import { printable } from '../platform/text/printable.ts';
import type { Config } from '../schema/generated.ts';
import { namesShippedModels } from '../schema/shipped-providers.ts';

/** What a repository's configuration wants that the sandbox does not confine. */
export interface Wish {
  /** Name of the file: `ralph.config.json`. */
  readonly label: string;
  /** Each as `key value`, such as `sandbox "off"`; never empty. */
  readonly grants: readonly string[];
  /** SHA-256 of the wish: another wish of the same repository is trusted anew. */
  readonly digest: string;
}

/** Where trust is stored, and how it is asked for. */
export interface TrustRequest {
  /** Absolute path of the repository. */
  readonly repositoryRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the user; undefined where there is no terminal. */
  readonly confirm?: ((wish: Wish) => Promise<boolean>) | undefined;
}

const KEPT = 20;

/** Settings that need trust, with the values that need none. */
const GRANTS: readonly (readonly [key: keyof Config, isHarmless: (value: unknown) => boolean])[] = [
  ['baseUrl', () => false],
  ['command', () => false],
  ['agent', () => false],
  ['record', () => false],
  // The package of any other provider is the repository's own, and runs in ralph itself.
  ['model', namesShippedModels],
  ['fallbackModels', namesShippedModels],
  ['reflectorModel', namesShippedModels],
  ['acceptanceModel', namesShippedModels],
  ['judge', namesShippedModels],
  // Some of them send the prompt to further servers.
  ['providerOptions', isEmptyObject],
  ['sandbox', (value) => value !== 'off'],
  ['sandboxAgent', (value) => value !== 'off'],
  ['allowNetwork', (value) => value !== true],
  ['passEnv', isEmpty],
  ['sandboxRead', isEmpty],
  ['sandboxWrite', isEmpty],
  ['limits', () => false],
  // Folders of anybody's choice would be created and written there.
  ['workspaceDir', () => false],
];

/** The wish of a configuration that is data; undefined if it wants nothing that needs trust. */
export function wishOfData(
  label: string,
  config: Config,
  isOverridden: (key: string) => boolean,
): Wish | undefined {
  const wanted = GRANTS.filter(([key, isHarmless]) => {
    const value = config[key];
    return value !== undefined && !isOverridden(key) && !isHarmless(value);
  });
  if (wanted.length === 0) return undefined;
  const grants = wanted.map(([key]) => `${key} ${JSON.stringify(config[key])}`);
  return { label, grants, digest: digestOf([label, ...grants]) };
}

/** The wish of a configuration that is a program: ralph runs it outside the sandbox. */
export function wishOfProgram(label: string, text: string): Wish {
  return { label, grants: ['to run as a program, outside the sandbox'], digest: digestOf([label, text]) };
}

/** Throws RalphError (exit 2) unless the wish is trusted already or the user confirms it now, which is stored. */
export async function requireTrust(wish: Wish, request: TrustRequest): Promise<void> {
  if (trustedDigests(request).includes(wish.digest)) return;
  if ((await request.confirm?.(wish)) === true) return trust(wish, request);
  throw new RalphError(
    `${wish.label} of this repository is not trusted yet. It wants: ${renderGrants(wish)}.`,
    {
      code: 'config_untrusted',
      exitCode: ExitCode.usage,
      hint: `Read the file, then trust it once with: ralph trust. Or set these by flags, which override the file.`,
    },
  );
}

/** Stores that a wish is trusted, for this user on this machine. Throws RalphError if it cannot be written. */
export async function trust(wish: Wish, request: TrustRequest): Promise<void> {
  const digests = [...new Set([...trustedDigests(request), wish.digest])].slice(-KEPT);
  const record = { root: rootOf(request), trusted: digests };
  await writeDurably(recordPath(request), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** The grants as one line that is safe to print. */
export function renderGrants({ grants }: Wish): string {
  return printable(grants.join(', ')).slice(0, 1000);
}

function trustedDigests(request: TrustRequest): readonly string[] {
  try {
    const record = JSON.parse(readFileSync(recordPath(request), 'utf8')) as {
      root: string;
      trusted: string[];
    };
    return record.root === rootOf(request) ? record.trusted.filter((it) => typeof it === 'string') : [];
  } catch {
    // Missing or damaged: nothing is trusted, and the user is asked again.
    return [];
  }
}

/** One file a repository, outside of it, so that parallel runs of other repositories write other files. */
function recordPath(request: TrustRequest): string {
  return join(stateFolder(request.env), 'trusted', `${digestOf([rootOf(request)]).slice(0, 32)}.json`);
}

function rootOf({ repositoryRoot }: TrustRequest): string {
  return realpathSync(repositoryRoot);
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
