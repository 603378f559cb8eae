/** What a hook tells about itself. */
export interface HookCall {
  /** The agent's id of the session; undefined if it has none. */
  readonly session: string | undefined;
  /** Absolute path of the folder that the agent works in; undefined if it does not say. */
  readonly cwd: string | undefined;
  /** Absolute path of the folder that it is in at the moment, if it may be another one. */
  readonly calledFrom?: string | undefined;
  /** True if the agent goes on because a hook told it to: the blocks before count. */
  readonly isContinued: boolean;
  /** True if the agent was stopped by its user or by an error, so that it must not be told to go on. */
  readonly isInterrupted: boolean;
  /** The agent's last message; empty if the hook does not have it. */
  readonly said: string;
}

/** What a hook prints and how it ends. */
export interface HookAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** The hooks of one agent: how it calls them, and the answers that it understands. */
export interface Dialect {
  /** The agent's name for people. */
  readonly title: string;
  /** `input`: the whole standard input of the hook. Throws Error with a clause about the input if it is garbled. */
  read(input: string, env: Readonly<Record<string, string | undefined>>): HookCall;
  /** The session is watched; the text is for the agent. */
  started(text: string): HookAnswer;
  /** The agent may stop; `note` is a sentence for its user, if there is one. */
  passed(note?: string): HookAnswer;
  /** The agent may not stop; the text says why. */
  blocked(text: string): HookAnswer;
  /** Nothing could be judged; the agent is not held for that. The text is for its user. */
  failed(text: string): HookAnswer;
}

/** A JSON line as the answer, with exit code 0. */
export function jsonAnswer(value: object): HookAnswer {
  return { stdout: `${JSON.stringify(value)}\n`, exitCode: 0 };
}

/** An empty answer: the agent does as it would without the hook. */
export const SILENCE: HookAnswer = { exitCode: 0 };
