/** One file with hooks of an agent, relative to the repository's root. */
export type HookFile = JsonHookFile | WholeHookFile;

/** Settings in JSON, to which entries are added. */
export interface JsonHookFile {
  readonly kind: 'json';
  readonly path: string;
  readonly entries: readonly JsonEntry[];
  /** Content of a new file before the entries are added. */
  readonly fresh: string;
}

interface JsonEntry {
  /** The names that lead to the list. */
  readonly list: readonly string[];
  readonly value: object;
}

/** A file that belongs to ralph as a whole. */
export interface WholeHookFile {
  readonly kind: 'whole';
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
  /** The line to add by hand if the file is somebody else's. */
  readonly byHand: string;
}

/** The command lines that hooks run. */
export interface HookCommands {
  readonly start: string;
  /** After each edit. */
  readonly ahead: string;
  readonly check: string;
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** Options of both commands. */
  readonly options: readonly string[];
}

/** Marks files and entries as ralph's. */
export const MARK = / gate (?:start|ahead|check) --hook /;

/** Longest run of a hook: the checks of a large repository, twice. */
export const TIMEOUT_S = 1800;

/** Longest run of a hook that only starts a program. */
export const SHORT_TIMEOUT_S = 30;
