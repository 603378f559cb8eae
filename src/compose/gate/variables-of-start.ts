import { flagSettings } from '../../config/setting-list.ts';
import { joinList } from '../../prompts/phrases.ts';
import type { GateSession } from '../../schema/generated.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of the environment that are settings of ralph, such as RALPH_ALLOW. */
export function settingVariables(env: Variables): Readonly<Record<string, string>> {
  // The list of settings is read from a file.
  if (!Object.keys(env).some((name) => name.startsWith('RALPH_'))) return {};
  const found = flagSettings().flatMap(({ variable }) => {
    const value = env[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  return Object.fromEntries(found);
}

/** An environment with the settings of a session's start: an agent can write variables into its own settings. */
export function withVariablesOf({ variables }: Pick<GateSession, 'variables'>, env: Variables): Variables {
  if (variables === undefined) return env;
  const now = settingVariables(env);
  const others = Object.entries(env).filter(([name]) => !(name in now));
  return { ...Object.fromEntries(others), ...variables };
}

/** A sentence on settings in the environment that are not those of the start. */
export function describeVariables(
  { variables, hooks }: Pick<GateSession, 'variables' | 'hooks'>,
  env: Variables,
): string[] {
  if (variables === undefined) return [];
  const now = settingVariables(env);
  const names = [...new Set([...Object.keys(variables), ...Object.keys(now)])];
  const changed = names.filter((name) => variables[name] !== now[name]);
  if (changed.length > 0) {
    const [are, they] = changed.length === 1 ? ['is', 'it was'] : ['are', 'they were'];
    return [
      `${joinList(changed)} ${are} not as at the start of the session: what counts is how ${they} then. Who means to change that starts the gate again: ralph gate start --again.`,
    ];
  }
  // Without a start, nobody can say who set them.
  return hooks !== undefined || names.length === 0
    ? []
    : [`Settings of the environment count: ${joinList(names)}.`];
}
