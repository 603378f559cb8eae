import { parseModelName } from './model-name.ts';

/** The environment variable with which each provider's own tools set the address, and the default origin. */
const ADDRESS_VARIABLES: Readonly<Record<string, { readonly variable: string; readonly origin: string }>> = {
  anthropic: { variable: 'ANTHROPIC_BASE_URL', origin: 'https://api.anthropic.com' },
  openai: { variable: 'OPENAI_BASE_URL', origin: 'https://api.openai.com' },
};

/**
 * The base URL for `provider/model`: `baseUrl` if set, else the provider's environment variable, with `/v1` added if
 * it has no path. Undefined for the provider's default address.
 */
export function modelAddress(
  name: string,
  baseUrl: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (baseUrl !== undefined) return baseUrl;
  const { provider } = parseModelName(name);
  if (!Object.hasOwn(ADDRESS_VARIABLES, provider)) return undefined;
  const { variable, origin: defaultOrigin } = ADDRESS_VARIABLES[provider]!;
  const address = env[variable]?.trim() ?? '';
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  if (origin === defaultOrigin) return undefined;
  return pathname === '/' ? `${origin}/v1` : address.replace(/\/+$/, '');
}
