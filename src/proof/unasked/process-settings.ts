/**
 * Settings that every module of the process sees, by their names. It must not refer to anything outside of its body: its source
 * text runs in another process.
 */
export function processSettings(): Record<string, string> {
  const { EventEmitter } = process.getBuiltinModule('node:events');
  const variables = /^(TZ|LANG|LANGUAGE|LC_\w+|UV_\w+|(HTTPS?|NO|ALL)_PROXY|PATH|HOME|NODE_(?!ENV$)\w+)$/i;
  const found: Record<string, unknown> = {
    'EventEmitter.defaultMaxListeners': EventEmitter.defaultMaxListeners,
    'Error.stackTraceLimit': Error.stackTraceLimit,
    'the working directory': process.cwd(),
    'process.exitCode': process.exitCode,
    'what becomes of errors that nobody catches': process.listenerCount('uncaughtException'),
    'what becomes of rejections that nobody handles': process.listenerCount('unhandledRejection'),
    'the output of warnings': process.listenerCount('warning'),
  };
  for (const key in []) found[`the enumerable member ${key} of every array`] = 1;
  for (const key in {}) found[`the enumerable member ${key} of every object`] = 1;
  for (const [name, value] of Object.entries(process.env))
    if (variables.test(name)) found[`process.env.${name}`] = value;
  const loaded = (process as unknown as { moduleLoadList?: string[] }).moduleLoadList ?? [];
  if (loaded.includes('NativeModule https')) {
    const { rejectUnauthorized } = process.getBuiltinModule('node:https').globalAgent.options;
    found['https.globalAgent.options.rejectUnauthorized'] = rejectUnauthorized;
  }
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
}
