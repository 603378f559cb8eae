import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolder } from './own-user.ts';

const SECRET_NAME =
  /(^|_)(API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PRIVATE_KEY|ACCESS_KEY(_ID)?|CREDENTIALS?|AUTH)($|_)/i;

/** Set by the program that started ralph: in a child they would change the repository's tools, or later steps of a CI job. */
const FOREIGN_NAME =
  /^(npm_.*|INIT_CWD|NODE|VITEST.*|JEST_WORKER_ID|TEST|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|MOCHA_.*|AVA_.*|RALPH_.*|GITHUB_(OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)|GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY))$/;

/**
 * Tools do not wait for input or watch files, and package managers use the installed version instead of downloading the
 * one that `packageManager` names, which a sandbox without a network cannot do. The user's own values take precedence.
 */
const UNATTENDED = {
  CI: '1',
  npm_config_manage_package_manager_versions: 'false',
  COREPACK_ENABLE_STRICT: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  // Without a network npm would ask again for a minute and a half.
  npm_config_fetch_retries: '0',
};

/** pnpm does not pass that setting on to the pnpm that a script starts; a pnpm under Corepack never changes its version. */
const UNDER_COREPACK = { COREPACK_ROOT: '/nonexistent' };

/** Yarn starts itself from Corepack's folder where there is said to be one. */
function usesYarn(folder: string): boolean {
  const isThere = (name: string): boolean => existsSync(join(folder, name));
  if (isThere('yarn.lock') || isThere('.yarnrc.yml')) return true;
  return !isThere('.git') && dirname(folder) !== folder && usesYarn(dirname(folder));
}

/** Whether a variable is passed on to the repository's own tools: it names no secret, and is none of the program that started ralph. */
export function reachesTools(name: string): boolean {
  return !SECRET_NAME.test(name) && !FOREIGN_NAME.test(name);
}

/**
 * The environment for a repository's own tools and for actors: the user's, without secrets and without variables set by
 * the program that started ralph, and with those of unattended work. `extra` overrides it. `folder`: one of the repository.
 */
export function childEnvironment(
  extra: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && reachesTools(entry[0]),
  );
  // Tools fail without it where the user has no entry in the list of users.
  const unattended = usesYarn(folder) ? UNATTENDED : { ...UNATTENDED, ...UNDER_COREPACK };
  return { HOME: homeFolder() ?? '/', ...unattended, ...Object.fromEntries(kept), ...extra };
}

/**
 * The environment for a coding agent, which needs its own keys: the user's, without variables set by the program that
 * started ralph. `extra` overrides it.
 */
export function agentEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !FOREIGN_NAME.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...extra };
}
