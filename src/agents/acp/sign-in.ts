import { fieldsOf, listOf, textOf } from './tool-call.ts';

/** A way to sign in that an agent offers. */
export interface SignIn {
  readonly id: string;
  readonly name: string;
  /** True where it takes a key from the environment, which is there: nobody has to be asked. */
  readonly isSilent: boolean;
}

/** Variables that hold what these ways of known agents need. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'api-key': ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  'openai-api-key': ['OPENAI_API_KEY'],
  'codex-api-key': ['CODEX_API_KEY'],
  'gemini-api-key': ['GEMINI_API_KEY'],
  'vertex-ai': ['GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT'],
};
const KEY_NAME = /\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(KEY|TOKEN)\b/g;

/** Reads `authMethods` of an agent's first answer, unchecked. */
export function readSignIns(
  authMethods: unknown,
  env: Readonly<Record<string, string | undefined>>,
): SignIn[] {
  return listOf(authMethods).flatMap((method) => {
    const { id, name, type, description, vars } = fieldsOf(method);
    if (typeof id !== 'string') return [];
    const needed = [
      ...(KEYS[id] ?? []),
      ...listOf(vars).map((variable) => textOf(fieldsOf(variable)['name']) ?? ''),
      ...((textOf(description) ?? '').match(KEY_NAME) ?? []),
    ];
    const isSilent = type !== 'terminal' && needed.some((variable) => (env[variable] ?? '') !== '');
    return [{ id, name: textOf(name) ?? id, isSilent }];
  });
}
