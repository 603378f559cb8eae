/** The class of undici behind Node's `fetch` that sends its requests. */
type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/** The key under which Node keeps the dispatcher of its `fetch`; undici's setGlobalDispatcher uses the same. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * The global dispatcher of `fetch` without its timeouts, which end a request after 300 s without a header or a chunk
 * whatever the caller allows; `--model-timeout` may be longer. Connections, proxies included, stay the global
 * dispatcher's. Undefined, for the default timeouts, if this Node keeps none under the known key.
 */
export function dispatcherWithoutTimeouts(): Dispatcher | undefined {
  // Node sets the dispatcher when it loads one of the Fetch classes.
  const isLoaded = typeof Headers === 'function';
  const dispatcher = Reflect.get(globalThis, GLOBAL_DISPATCHER) as Dispatcher | undefined;
  if (!isLoaded || dispatcher === undefined) return undefined;
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return { dispatch } as Dispatcher;
}
