/** One tool call of an agent, from the updates received so far. The texts are the agent's and unchecked. */
export interface ToolCall {
  readonly id: string;
  readonly title: string;
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, or another name. */
  readonly kind: string;
  /** `pending`, `in_progress`, `completed` or `failed`. */
  readonly status: string;
  /** The paths of the call as written by the agent. */
  readonly paths: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** The command line; empty if the call runs none. */
  readonly command: string;
}

export interface FileDiff {
  readonly path: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Names of tool inputs that hold paths. */
const PATH_KEY = /^(.*[_a-z])?(path|file|filename|dir|directory|folder|cwd|workdir)$/i;
const MAX_PATHS = 200;
const MAX_PATH_CHARS = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** Merges a `tool_call`, a `tool_call_update` or the call of a permission request into the known call. */
export function readToolCall(value: unknown, known?: ToolCall): ToolCall | undefined {
  const fields = fieldsOf(value);
  const id = stringOf(fields['toolCallId']);
  if (id === undefined) return undefined;
  const input = fieldsOf(fields['rawInput']);
  const diffs = listOf(fields['content']).map(readDiff).filter(isDefined);
  const locations = listOf(fields['locations']).map((location) => stringOf(fieldsOf(location)['path']));
  const paths = [...(known?.paths ?? []), ...locations, ...diffs.map(({ path }) => path), ...pathsIn(input)];
  return {
    id,
    title: stringOf(fields['title']) ?? known?.title ?? '',
    kind: stringOf(fields['kind']) ?? known?.kind ?? 'other',
    status: stringOf(fields['status']) ?? known?.status ?? 'pending',
    paths: [...new Set(paths.filter(isDefined))].slice(0, MAX_PATHS),
    diffs: diffs.length > 0 ? diffs : (known?.diffs ?? []),
    command: commandIn(input) ?? known?.command ?? '',
  };
}

function readDiff(value: unknown): FileDiff | undefined {
  const { type, path, oldText, newText } = fieldsOf(value);
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return undefined;
  return { path, before: stringOf(oldText), after: newText };
}

function pathsIn(input: Fields): string[] {
  return Object.entries(input)
    .filter(([key]) => PATH_KEY.test(key))
    .map(([, value]) => stringOf(value))
    .filter(isDefined)
    .filter((path) => path !== '' && path.length <= MAX_PATH_CHARS && !path.includes('\n'));
}

function commandIn({ command, cmd }: Fields): string | undefined {
  const given = command ?? cmd;
  if (Array.isArray(given)) return given.filter((part) => typeof part === 'string').join(' ');
  return stringOf(given);
}

/** The fields of an object; empty for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The elements of an array; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
