/** Settings that choose and weigh the checks. */
export const CHECK_KEYS = ['checks', 'packages', 'skip', 'weights', 'checkTimeout'];

/** Settings that confine checks and commands. */
export const SANDBOX_KEYS = ['sandbox', 'allowNetwork', 'passEnv', 'sandboxRead', 'sandboxWrite', 'limits'];

/** Settings that choose the actor, its model and the reflector. */
export const ACTOR_KEYS = [
  'actor',
  'agent',
  'command',
  'reflector',
  'maxCost',
  'model',
  'baseUrl',
  'fallbackModels',
  'reflectorModel',
];

/** Settings of a command that may ask a model outside a loop. */
export const MODEL_KEYS = [
  'model',
  'reflectorModel',
  'baseUrl',
  'fallbackModels',
  'reflector',
  'maxCost',
  'maxTokens',
];

/** Settings that `ralph resume` may change. */
export const RESUME_KEYS = [
  'maxIterations',
  'maxTime',
  'maxCost',
  'maxTokens',
  'checkTimeout',
  'sandbox',
  'allowNetwork',
  'limits',
  'model',
  'baseUrl',
  'fallbackModels',
  'reflectorModel',
];
