import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { BY_HAND, type SessionStore } from '../../gate/session-store.ts';
import { reachesTools } from '../../platform/processes/environment.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { joinList } from '../../prompts/phrases.ts';
import type { GateSession } from '../../schema/generated.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type WithEnvironment = Pick<GateSession, 'environment'>;

/** Variables by which programs load further code, choose tests or leave some out. */
const SWITCHES =
  /^(NODE_.*|JEST_.*|(TS_NODE|TSX|BABEL|SWC|ESLINT|TAP|NYC|C8|TSC|BUN|DENO|COREPACK)_.*|(LD|DYLD)_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|(PYTHON|PYTEST|PERL5|RUBY).*|GOFLAGS|RUSTFLAGS|(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS)$/;
/** Variables that also decide, and differ between a terminal and a hook without anybody's doing. */
const HABITS = /^(PATH|TZ|LANG|LANGUAGE|LC_.*|CI)$/;

/** The variables of an environment that change what checks do. Those with a secret are left out. */
export function decidingVariables(env: Variables): Readonly<Record<string, string>> {
  const found = Object.entries(env).flatMap(([name, value]) =>
    decides(name) && value !== undefined && redact(value, env) === value ? [[name, value] as const] : [],
  );
  return Object.fromEntries(found);
}

/**
 * An environment with the variables of a session's start that change what checks do. Folders of the PATH that came later stay, after
 * those of the start: a program that is found only there is better than none.
 */
export function withEnvironmentOf({ environment }: WithEnvironment, env: Variables): Variables {
  if (environment === undefined) return env;
  const others = Object.entries(env).filter(([name]) => !decides(name));
  const path = joinedPaths(environment['PATH'], env['PATH']);
  return { ...Object.fromEntries(others), ...environment, ...(path !== undefined && { PATH: path }) };
}

/** Gives this process, and so each check that it starts, the environment of a session's start. Throws RalphError if the session is damaged. */
export function useEnvironmentOfStart(store: SessionStore, id: string): void {
  const session = store.read(id) ?? store.read(BY_HAND);
  if (session === undefined) return;
  const env = withEnvironmentOf(session, process.env);
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
}

/** A sentence on variables that change what checks do and are not those of the start, or of which nobody knows who set them. */
export function describeEnvironment(
  { environment, hooks }: Pick<GateSession, 'environment' | 'hooks'>,
  env: Variables,
): string[] {
  const now = switchesIn(decidingVariables(env));
  if (environment === undefined || hooks === undefined) return unknownSwitches(Object.keys(now));
  const then = switchesIn(environment);
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const changed = names.filter((name) => then[name] !== now[name]);
  if (changed.length === 0) return [];
  const [are, they] = changed.length === 1 ? ['is', 'it was'] : ['are', 'they were'];
  return [
    `${joinList(changed)} ${are} not as at the start of the session: the checks ran with what ${they} then. Who means to change that starts the gate again: ralph gate start --again.`,
  ];
}

/** By these, code is loaded or tests are chosen; others, such as NODE_ENV, are set in many terminals. */
const LOADING = /^(NODE_OPTIONS|NODE_PATH|LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV)$/;

function unknownSwitches(names: readonly string[]): string[] {
  const loading = names.filter((name) => LOADING.test(name));
  if (loading.length === 0) return [];
  const [was, it] = loading.length === 1 ? ['was', 'it'] : ['were', 'they'];
  return [
    `${joinList(loading)} of the environment counted in the checks: how ${it} ${was} at a start is not stored.`,
  ];
}

function decides(name: string): boolean {
  return (SWITCHES.test(name) || HABITS.test(name)) && reachesTools(name);
}

function switchesIn(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => SWITCHES.test(name)));
}

function joinedPaths(then: string | undefined, now: string | undefined): string | undefined {
  if (then === undefined || now === undefined) return then ?? now;
  const folders = then.split(delimiter);
  const later = now.split(delimiter).filter((folder) => !folders.includes(folder));
  return [...folders.filter((folder) => existsSync(folder)), ...later].join(delimiter);
}
