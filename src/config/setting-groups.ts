import type { Config } from '../schema/generated.ts';

/** What settings are about, in the order in which `--help`, the man page and the reference show them. */
export const SETTING_GROUPS = {
  Actor: ['actor', 'agent', 'agentTimeout', 'agentSilence', 'command', 'fixers', 'selfTests', 'search'],
  Model: [
    ...['model', 'baseUrl', 'fallbackModels', 'stream', 'modelTimeout', 'maxRetryDelay'],
    ...['maxOutputTokens', 'maxSteps', 'prices', 'record', 'replay'],
  ],
  Loop: ['maxIterations', 'strategy', 'retryFrom', 'noRegressions', 'requireChange'],
  'Reflection and memory': [
    ...['reflector', 'reflectorModel', 'omega', 'windowPolicy', 'windowTokens', 'memory'],
    ...['validateLessons', 'memoryModel', 'microReflection', 'insights'],
  ],
  Budgets: ['maxTime', 'maxCost', 'maxTokens', 'checkTimeout'],
  Checks: ['checks', 'skip', 'weights', 'holdout'],
  Bounds: [
    ...['protect', 'allow', 'isolation', 'sandbox', 'sandboxEngine', 'allowNetwork', 'passEnv'],
    ...['sandboxRead', 'sandboxWrite', 'carry', 'workspaceDir'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The heading for a setting; `Other` for one that no group names. */
export function groupOf(key: keyof Config): string {
  const found = Object.entries(SETTING_GROUPS).find(([, keys]) => (keys as readonly string[]).includes(key));
  return found?.[0] ?? 'Other';
}
