/** Providers of models whose packages are part of ralph; those of others are packages that the user has installed. */
export const SHIPPED_PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;

/** Whether a setting names only models (`provider/model`) for which no installed package runs. */
export function namesShippedModels(value: unknown): boolean {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.every((name) => SHIPPED_PROVIDERS.some((provider) => String(name).startsWith(`${provider}/`)));
}
