/** What is known of one tool call of an agent. Everything in it was read from what the agent sent, unchecked. */
export interface ToolCall {
  readonly id: string;
  readonly title: string;
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, or what the agent calls it. */
  readonly kind: string;
  /** `pending`, `in_progress`, `completed` or `failed`. */
  readonly status: string;
  /** Paths that it works on, as the agent wrote them. */
  readonly paths: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** Command line, for calls that run one. */
  readonly command: string;
}

export interface FileDiff {
  readonly path: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Names under which agents give paths in a tool's input. */
const PATH_KEY = /^(.*[_a-z])?(path|file|filename|dir|directory|folder|cwd|workdir)$/i;
const MAX_PATHS = 200;
const MAX_PATH_CHARS = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a `tool_call`, a `tool_call_update` or the call of a permission request on top of what is known of it. */
export function readToolCall(value: unknown, known?: ToolCall): ToolCall | undefined {
  const fields = fieldsOf(value);
  const id = textOf(fields['toolCallId']);
  if (id === undefined) return undefined;
  const input = fieldsOf(fields['rawInput']);
  const diffs = listOf(fields['content']).map(readDiff).filter(isDefined);
  const locations = listOf(fields['locations']).map((location) => textOf(fieldsOf(location)['path']));
  const paths = [...(known?.paths ?? []), ...locations, ...diffs.map(({ path }) => path), ...pathsIn(input)];
  return {
    id,
    title: textOf(fields['title']) ?? known?.title ?? '',
    kind: textOf(fields['kind']) ?? known?.kind ?? 'other',
    status: textOf(fields['status']) ?? known?.status ?? 'pending',
    paths: [...new Set(paths.filter(isDefined))].slice(0, MAX_PATHS),
    diffs: diffs.length > 0 ? diffs : (known?.diffs ?? []),
    command: commandIn(input) ?? known?.command ?? '',
  };
}

function readDiff(value: unknown): FileDiff | undefined {
  const { type, path, oldText, newText } = fieldsOf(value);
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return undefined;
  return { path, before: textOf(oldText), after: newText };
}

function pathsIn(input: Fields): string[] {
  return Object.entries(input)
    .filter(([key]) => PATH_KEY.test(key))
    .map(([, value]) => textOf(value))
    .filter(isDefined)
    .filter((path) => path !== '' && path.length <= MAX_PATH_CHARS && !path.includes('\n'));
}

function commandIn({ command, cmd }: Fields): string | undefined {
  const given = command ?? cmd;
  if (Array.isArray(given)) return given.filter((part) => typeof part === 'string').join(' ');
  return textOf(given);
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
