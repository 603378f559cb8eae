import type { Machine } from './machine.ts';

/** Where the product is used, as far as its code can see. */
export interface Place {
  /** Absolute path of the user's repository. */
  readonly folder: string;
  /** Absolute path of the user's home. */
  readonly home: string;
  readonly machine: Machine;
}

/**
 * Makes this process look like one of the product on a user's terminal, hours after its start: working folder, arguments,
 * process ids, terminal, clocks of the process, memory, variables, time zone, `/proc` and network interfaces. Timers run twenty times as fast, so that what happens
 * later happens soon.
 *
 * It must not refer to anything outside of its body: its source text runs in other processes.
 */
export function appearInUse({ folder, home, machine }: Place): void {
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
  const variables = {
    NODE_ENV: 'production',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    SHLVL: '1',
    TZ: 'Asia/Kolkata',
  };
  Object.assign(process.env, { ...variables, HOME: home, PWD: folder, USER: user, LOGNAME: user });
  const timers = globalThis as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['setTimeout', 'setInterval']) {
    const real = timers[name]!;
    const quick = (run: unknown, ms: unknown, ...given: unknown[]): unknown =>
      real(run, Number(ms ?? 0) / 20, ...given);
    timers[name] = Object.assign(quick, real);
  }
  const own: Record<string, string> = {
    ...machine.files,
    '/proc/self/environ': Object.entries(process.env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\0'),
    '/proc/self/cmdline': process.argv.join('\0'),
    '/proc/self/comm': 'node\n',
  };
  const shown = (path: unknown): string | undefined => {
    const text = String(path)
      .replace(/^file:\/\//, '')
      .replace(`/proc/${process.pid}/`, '/proc/self/');
    return own[text.replace('/proc/thread-self/', '/proc/self/')];
  };
  const as = (text: string, given: unknown): unknown => {
    const encoding =
      typeof given === 'string' ? given : (given as { encoding?: unknown } | undefined)?.encoding;
    return typeof encoding === 'string' ? text : Buffer.from(text);
  };
  const fs = process.getBuiltinModule('node:fs');
  const os = process.getBuiltinModule('node:os');
  const { existsSync, readFileSync, readdirSync } = fs;
  const there = new Set(machine.home.map((name) => `${home}/${name}`));
  define(
    fs,
    'existsSync',
    (path: never) => there.has(String(path).replace(/^file:\/\//, '')) || existsSync(path),
  );
  const { readFile } = fs.promises;
  type Read = (path: never, options?: never) => unknown;
  const reading =
    (real: Read): Read =>
    (path, options) => {
      const text = shown(path);
      return text === undefined ? real(path, options) : as(text, options);
    };
  define(fs, 'readFileSync', reading(readFileSync as Read));
  define(fs.promises, 'readFile', (path: never, options: never) => {
    const text = shown(path);
    return text === undefined ? (readFile as Read)(path, options) : Promise.resolve(as(text, options));
  });
  define(fs, 'readdirSync', (path: never, options: never) =>
    /^\/proc\/?$/.test(String(path)) && options === undefined
      ? [...machine.processes]
      : (readdirSync as Read)(path, options),
  );
  define(os, 'hostname', () => 'workstation');
  const { userInfo } = os;
  define(os, 'userInfo', (...given: []) => ({
    ...userInfo(...given),
    uid: 1000,
    gid: 1000,
    username: user,
    homedir: home,
  }));
  define(os, 'networkInterfaces', () => machine.interfaces);
  const { report } = process;
  const getReport = report.getReport.bind(report);
  define(report, 'getReport', (...given: []) => ({
    ...getReport(...given),
    environmentVariables: { ...process.env },
  }));
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}
