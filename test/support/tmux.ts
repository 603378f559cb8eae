/** A real terminal: a pane of a tmux server of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execaSync } from 'execa';
import { afterAll } from 'vitest';
import { temporaryFolder } from './repositories.ts';

export const hasTmux = execaSync('tmux', ['-V'], { reject: false }).exitCode === 0;

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
const PATIENCE_MS = 45_000;

export interface Pane {
  /** What is on the screen, without empty lines at its end. */
  screen(): string[];
  /** The same with all that was scrolled away. */
  everything(): string[];
  /** All bytes that came so far. */
  raw(): string;
  isCursorShown(): boolean;
  /** Id of the program's process. */
  pid(): number;
  resize(columns: number): void;
  press(key: string): void;
  /** The screen once it holds this; rejects with the screen as it is where that takes too long. */
  until(pattern: RegExp): Promise<string>;
  /** Once the program has ended: its exit code as the shell has it. */
  exitCode(): Promise<number>;
}

export interface PaneOptions {
  readonly cwd: string;
  /** What the shell runs behind `ralph`. */
  readonly args: string;
  readonly columns: number;
  readonly rows?: number;
  /** Lines that were there before: a terminal in use is full, and what is written is at its bottom. */
  readonly linesBefore?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const servers: string[] = [];

afterAll(() => {
  for (const server of servers.splice(0)) execaSync('tmux', ['-L', server, 'kill-server'], { reject: false });
});

/** Runs the built `ralph` in a terminal of this size. */
export function openPane({ cwd, args, columns, rows = 30, linesBefore = 0, env = {} }: PaneOptions): Pane {
  if (!existsSync(join(PROGRAM, '..', '..', 'dist', 'cli', 'main.cjs')))
    throw new Error('Build first: npm run build');
  const folder = temporaryFolder();
  const server = `ralph-test-${process.pid}-${servers.push('')}`;
  servers.push(server);
  const [bytes, ended, pid] = ['bytes', 'ended', 'pid'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(join(folder, 'start.sh'), scriptOf({ args, cwd, env, linesBefore, ended, pid }));
  const tmux = (...words: string[]): string =>
    execaSync('tmux', ['-u', '-L', server, '-f', '/dev/null', ...words], {
      stripFinalNewline: false,
      env: { LC_ALL: 'C.UTF-8' },
    }).stdout;
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-s', 'main', 'sleep 3600');
  tmux('set-option', '-g', 'window-size', 'manual');
  tmux('set-option', '-g', 'default-terminal', 'screen-256color');
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  tmux('pipe-pane', '-t', 'main', '-O', `cat > ${bytes}`);
  tmux('respawn-pane', '-k', '-t', 'main', `sh ${join(folder, 'start.sh')}`);
  const lines = (...how: string[]): string[] =>
    tmux('capture-pane', '-p', ...how, '-t', 'main')
      .trimEnd()
      .split('\n');
  const wait = async <T>(look: () => T | undefined): Promise<T> => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
      const found = look();
      if (found !== undefined) return found;
    }
    throw new Error(`It did not come:\n${lines('-S', '-').join('\n')}`);
  };
  return {
    screen: () => lines(),
    everything: () => lines('-S', '-'),
    raw: () => readFileSync(bytes, 'utf8'),
    isCursorShown: () => tmux('display-message', '-p', '-t', 'main', '#{cursor_flag}').trim() === '1',
    pid: () => Number(readFileSync(pid, 'utf8')),
    resize: (width) => void tmux('resize-window', '-t', 'main', '-x', `${width}`, '-y', `${rows}`),
    press: (key) => void tmux('send-keys', '-t', 'main', key),
    until: (pattern) =>
      wait(() => {
        const screen = lines().join('\n');
        return pattern.test(screen) ? screen : undefined;
      }),
    exitCode: () => wait(() => (existsSync(ended) ? Number(readFileSync(ended, 'utf8')) : undefined)),
  };
}

interface Start extends Pick<PaneOptions, 'args' | 'cwd'> {
  readonly linesBefore: number;
  readonly env: Readonly<Record<string, string>>;
  readonly ended: string;
  readonly pid: string;
}

/** The program is the script's child in the same foreground group, as it is a shell's. */
function scriptOf({ args, cwd, env, linesBefore, ended, pid }: Start): string {
  const variables = { LC_ALL: 'C.UTF-8', ...env };
  return [
    `cd '${cwd}'`,
    'unset CI NO_COLOR FORCE_COLOR RALPH_PROCESS_TAG',
    ...Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`),
    `i=0; while [ $i -lt ${linesBefore} ]; do i=$((i + 1)); echo "earlier line $i"; done`,
    "trap '' INT",
    `(trap - INT; echo "$(exec sh -c 'echo $PPID')" > '${pid}'; exec '${process.execPath}' '${PROGRAM}' ${args})`,
    `code=$?; echo "$code" > '${ended}.part'; mv '${ended}.part' '${ended}'`,
    'sleep 3600',
    '',
  ].join('\n');
}
