import { fieldsOf, listOf, stringOf } from './tool-call.ts';

/** A sign-in method offered by an agent. */
export interface SignIn {
  readonly id: string;
  readonly name: string;
  /** Whether it needs no user: it reads a key from the environment, and the key is set. */
  readonly isSilent: boolean;
}

/** The environment variables read by known sign-in methods. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'api-key': ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  'openai-api-key': ['OPENAI_API_KEY'],
  'codex-api-key': ['CODEX_API_KEY'],
  'gemini-api-key': ['GEMINI_API_KEY'],
  'vertex-ai': ['GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT'],
};
const KEY_NAME = /\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(KEY|TOKEN)\b/g;

/** Reads the unchecked `authMethods` of the answer to `initialize`. */
export function readSignIns(
  authMethods: unknown,
  env: Readonly<Record<string, string | undefined>>,
): SignIn[] {
  return listOf(authMethods).flatMap((method) => {
    const { id, name, type, description, vars } = fieldsOf(method);
    if (typeof id !== 'string') return [];
    const needed = [
      ...(KEYS[id] ?? []),
      ...listOf(vars).map((variable) => stringOf(fieldsOf(variable)['name']) ?? ''),
      ...((stringOf(description) ?? '').match(KEY_NAME) ?? []),
    ];
    const isSilent = type !== 'terminal' && needed.some((variable) => (env[variable] ?? '') !== '');
    return [{ id, name: stringOf(name) ?? id, isSilent }];
  });
}
