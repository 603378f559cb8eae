/** Where the product is used, as far as its code can see. */
export interface Place {
  /** Absolute path of the user's repository. */
  readonly folder: string;
  /** Absolute path of the user's home. */
  readonly home: string;
}

/**
 * Makes this process look like one of the product on a user's terminal, hours after its start: working folder, arguments,
 * process ids, terminal, clocks of the process, memory and variables. Timers run twenty times as fast, so that what happens
 * later happens soon.
 *
 * It must not refer to anything outside of its body: its source text runs in other processes.
 */
export function appearInUse({ folder, home }: Place): void {
  const HOURS_MS = 3 * 3_600_000;
  const MUCH = 2_000_000_000;
  const define = (owner: object, name: string, value: unknown): void => {
    try {
      Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
    } catch {
      // A property that cannot be defined stays.
    }
  };
  define(process, 'pid', 48_211);
  define(process, 'ppid', 47_950);
  define(process, 'title', 'node');
  define(process, 'argv', [process.execPath, `${folder}/server.js`]);
  define(process, 'execArgv', []);
  define(process, 'cwd', () => folder);
  define(process, 'channel', undefined);
  if (process.getuid?.() === 0) for (const name of ['getuid', 'geteuid']) define(process, name, () => 1000);
  const { WriteStream } = process.getBuiltinModule('node:tty');
  define(process.stdin, 'isTTY', true);
  for (const stream of [process.stdout, process.stderr]) {
    define(stream, 'isTTY', true);
    define(stream, 'constructor', WriteStream);
    define(stream, 'columns', 120);
  }
  const { memoryUsage } = process;
  const used = (): NodeJS.MemoryUsage => {
    const now = Reflect.apply(memoryUsage, process, []) as NodeJS.MemoryUsage;
    return { ...now, rss: now.rss + MUCH, heapUsed: now.heapUsed + MUCH, heapTotal: now.heapTotal + MUCH };
  };
  define(process, 'memoryUsage', Object.assign(used, { rss: () => used().rss }));
  const [now, uptime] = [performance.now.bind(performance), process.uptime.bind(process)];
  define(performance, 'now', () => now() + HOURS_MS);
  define(process, 'uptime', () => uptime() + HOURS_MS / 1000);
  for (const name of Object.keys(process.env))
    if (/^(CI|RALPH|NODE_|npm_|INIT_CWD|FORCE_COLOR)/.test(name)) Reflect.deleteProperty(process.env, name);
  const user = home.split('/').at(-1) ?? '';
  const variables = { NODE_ENV: 'production', TERM: 'xterm-256color', COLORTERM: 'truecolor', SHLVL: '1' };
  Object.assign(process.env, { ...variables, HOME: home, PWD: folder, USER: user, LOGNAME: user });
  const timers = globalThis as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['setTimeout', 'setInterval']) {
    const real = timers[name]!;
    const quick = (run: unknown, ms: unknown, ...given: unknown[]): unknown =>
      real(run, Number(ms ?? 0) / 20, ...given);
    timers[name] = Object.assign(quick, real);
  }
}
