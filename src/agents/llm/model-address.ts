import { parseModelName } from './model-name.ts';

/** The variables that providers' own tools read, and where their API is without. */
const USUAL: Readonly<Record<string, { readonly variable: string; readonly origin: string }>> = {
  anthropic: { variable: 'ANTHROPIC_BASE_URL', origin: 'https://api.anthropic.com' },
  openai: { variable: 'OPENAI_BASE_URL', origin: 'https://api.openai.com' },
};

/**
 * Where the API of `provider/model` is, if not at its provider's own address: what the user set, or else what the
 * provider's usual variable says, with `/v1` where it names a server alone, as other tools take it. Undefined: at the
 * provider's.
 */
export function modelAddress(
  name: string,
  baseUrl: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (baseUrl !== undefined) return baseUrl;
  const { provider } = parseModelName(name);
  const usual = Object.hasOwn(USUAL, provider) ? USUAL[provider] : undefined;
  const set = usual === undefined ? '' : (env[usual.variable]?.trim() ?? '');
  if (usual === undefined || !URL.canParse(set)) return undefined;
  const { origin, pathname } = new URL(set);
  if (origin === usual.origin) return undefined;
  return pathname === '/' ? `${origin}/v1` : set.replace(/\/+$/, '');
}
