import { existsSync } from 'node:fs';
import {
  RequestError,
  type CreateTerminalRequest,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from '@agentclientprotocol/sdk';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import { TailText } from './tail-text.ts';
import type { WorkspaceScope } from './workspace-scope.ts';

/** The commands run on request of an agent. Methods throw RequestError for an unknown id. */
export interface Terminals {
  /** Starts the command; returns the terminal's id. */
  create(request: CreateTerminalRequest): string;
  output(id: string): TerminalOutputResponse;
  waitForExit(id: string): Promise<TerminalExitStatus>;
  kill(id: string): Promise<void>;
  release(id: string): Promise<void>;
  /** Ends all running commands with their children. */
  close(): Promise<void>;
}

interface Terminal {
  readonly output: TailText;
  readonly stop: AbortController;
  readonly exited: Promise<TerminalExitStatus>;
  exit?: TerminalExitStatus;
}

const MAX_TERMINALS = 16;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs commands in the workspace without the user's secrets. `onOutput` is called for output and at the exit. */
export function createTerminals(options: {
  readonly scope: WorkspaceScope;
  readonly sandbox?: Sandbox | undefined;
  readonly onOutput: () => void;
}): Terminals {
  const open = new Map<string, Terminal>();
  let count = 0;
  const terminalOf = (id: string): Terminal => {
    const terminal = open.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(id);
    return terminal;
  };
  const kill = async (terminal: Terminal): Promise<void> => {
    terminal.stop.abort();
    await terminal.exited;
  };
  return {
    create(request) {
      if (open.size >= MAX_TERMINALS)
        throw new RequestError(-32603, 'Too many terminals; release some first.');
      const id = `terminal-${++count}`;
      open.set(id, start(request, options));
      return id;
    },
    output(id) {
      const { output, exit } = terminalOf(id);
      return { output: output.toString(), truncated: output.isTruncated, exitStatus: exit ?? null };
    },
    waitForExit: async (id) => terminalOf(id).exited,
    kill: async (id) => kill(terminalOf(id)),
    async release(id) {
      const terminal = terminalOf(id);
      await kill(terminal);
      open.delete(id);
    },
    async close() {
      await Promise.all([...open.values()].map(kill));
    },
  };
}

function start(request: CreateTerminalRequest, options: Parameters<typeof createTerminals>[0]): Terminal {
  const { scope, sandbox, onOutput } = options;
  const stop = new AbortController();
  const output = new TailText(Math.min(Math.max(0, request.outputByteLimit ?? Infinity), MAX_OUTPUT_BYTES));
  const running = runProcess({
    ...commandOf(request),
    cwd: folderOf(request, scope),
    env: childEnvironment(Object.fromEntries((request.env ?? []).map(({ name, value }) => [name, value]))),
    sandbox,
    signal: stop.signal,
    keepBytes: 1000,
    onOutput(text) {
      output.append(text);
      onOutput();
    },
  });
  const terminal: Terminal = {
    output,
    stop,
    exited: running.then(({ exitCode, signal, failure }) => {
      if (failure !== undefined) output.append(`${failure}\n`);
      terminal.exit = failure === undefined ? { exitCode, signal } : { exitCode: 127, signal: null };
      onOutput();
      return terminal.exit;
    }),
  };
  return terminal;
}

/** The command as a file with arguments; without arguments, as a shell line unless a file has this name. */
function commandOf({
  command,
  args,
}: CreateTerminalRequest): { shell: string } | { file: string; args: string[] } {
  const isLine = (args ?? []).length === 0 && !existsSync(command);
  return isLine ? { shell: command } : { file: command, args: args ?? [] };
}

function folderOf({ cwd }: CreateTerminalRequest, scope: WorkspaceScope): string {
  if (!cwd) return scope.cwd;
  const place = scope.toWrite(cwd);
  if (place.allowed) return place.path;
  throw new RequestError(-32602, `${cwd.slice(0, 1000)} is ${place.reason}.`);
}

/** The command and its arguments as one line for display. */
export function commandLineOf({ command, args }: CreateTerminalRequest): string {
  return [command, ...(args ?? [])].join(' ');
}
