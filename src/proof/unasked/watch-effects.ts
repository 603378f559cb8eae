/** What code does outside of its results. */
export interface Effects {
  /** What was done since the last question, such as `writes a file`, and whether something new keeps the process running. */
  take: () => string[];
  /** Puts the functions back. */
  stop: () => void;
}

/**
 * Watches what code prints, writes, starts, and leaves behind. It must not refer to anything outside of its body: its source
 * text runs in another process.
 */
export function watchEffects(): Effects {
  type Fn = (this: unknown, ...given: unknown[]) => unknown;
  type Owner = Record<string, Fn>;
  const { apply } = Reflect;
  const get = (name: string): Owner => process.getBuiltinModule(name) as unknown as Owner;
  const fs = get('node:fs');
  const { syncBuiltinESMExports: sync } = process.getBuiltinModule('node:module');
  const undo: (() => void)[] = [];
  const noted = new Set<string>();
  const replace = (owner: Owner, name: string, make: (real: Fn) => Fn): void => {
    const real = owner[name];
    if (typeof real !== 'function') return;
    const made = Object.defineProperties(make(real), Object.getOwnPropertyDescriptors(real));
    owner[name] = made;
    undo.push(() => (owner[name] = real));
  };
  const note = (owner: Owner, names: string, what: string): void => {
    for (const name of names.split(' '))
      replace(owner, name, (real) => {
        return function (this: unknown, ...given: unknown[]): unknown {
          noted.add(what);
          return apply(real, this, given) as unknown;
        };
      });
  };
  const PRINTS = 'prints something';
  for (const stream of [process.stdout, process.stderr])
    replace(stream as unknown as Owner, 'write', () => (...given: unknown[]) => {
      noted.add(PRINTS);
      const done = given.find((it) => typeof it === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    });
  replace(fs, 'writeSync', (real) => {
    return function (this: unknown, ...given: unknown[]): unknown {
      const isPrinted = given[0] === 1 || given[0] === 2;
      noted.add(isPrinted ? PRINTS : 'writes a file');
      return isPrinted ? String(given[1]).length : apply(real, this, given);
    };
  });
  const WRITES = 'writeFile appendFile mkdir mkdtemp rm rmdir unlink rename copyFile cp symlink truncate';
  note(
    fs,
    `createWriteStream ${WRITES} ${WRITES.split(' ')
      .map((name) => `${name}Sync`)
      .join(' ')}`,
    'writes a file',
  );
  note(fs['promises'] as unknown as Owner, WRITES, 'writes a file');
  note(
    get('node:child_process'),
    'spawn spawnSync exec execSync execFile execFileSync fork',
    'starts a program',
  );
  note(get('node:net').Socket!.prototype as Owner, 'connect', 'opens a connection');
  replace(globalThis as unknown as Owner, 'fetch', () => () => {
    noted.add('opens a connection');
    return Promise.reject(new TypeError('fetch failed'));
  });
  const timers: { readonly timer: NodeJS.Timeout; readonly isLong: boolean }[] = [];
  for (const owner of [globalThis as unknown as Owner, get('node:timers')])
    for (const name of ['setTimeout', 'setInterval'])
      replace(owner, name, (real) => {
        return function (this: unknown, ...given: unknown[]): unknown {
          const timer = apply(real, this, given) as NodeJS.Timeout;
          timers.push({ timer, isLong: name === 'setInterval' || Number(given[1]) >= 1_000 });
          return timer;
        };
      });
  sync();
  /** Timers and servers that keep the process running. */
  const running = (): number => {
    const kept = timers.filter(({ timer, isLong }) => {
      const { _destroyed: isOver } = timer as unknown as { _destroyed?: boolean };
      return isLong && isOver !== true && timer.hasRef();
    });
    return kept.length + process.getActiveResourcesInfo().filter((it) => it === 'TCPServerWrap').length;
  };
  let known = 0;
  return {
    take: () => {
      const now = running();
      if (now > known) noted.add('keeps the process running');
      known = now;
      const found = [...noted];
      noted.clear();
      return found;
    },
    stop: () => {
      for (const put of undo) put();
      sync();
    },
  };
}
