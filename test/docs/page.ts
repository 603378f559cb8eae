/** Parses a page of documentation into the steps that its reader takes. */

/** Reasons not to execute a block; a reason in a page begins with one of them. */
const REASONS = [
  'needs a key',
  'needs an agent',
  'needs GitHub',
  'needs GitLab',
  'needs the network',
  'needs a terminal',
  'needs a server',
  'changes the machine',
  'takes minutes',
];

/** `line` is 1-based. */
export type Step =
  /** The page shows the sandbox: it is only executed where bubblewrap works. */
  | { readonly kind: 'needs bubblewrap'; readonly line: number }
  /** The commands that follow run in a new repository of this name. */
  | { readonly kind: 'fixture'; readonly name: string; readonly line: number }
  | { readonly kind: 'file'; readonly path: string; readonly text: string; readonly line: number }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly expected: readonly string[];
      readonly exitCode: number;
      readonly line: number;
    }
  /** Commands that are not executed: only their names and options are checked. */
  | { readonly kind: 'shown'; readonly commands: readonly string[]; readonly line: number }
  | { readonly kind: 'json'; readonly text: string; readonly line: number };

interface Block {
  readonly language: string;
  readonly lines: readonly string[];
  /** Line of the opening fence, 1-based. */
  readonly line: number;
  /** Values of the comments directly before the block, by key. */
  readonly notes: ReadonlyMap<string, string>;
}

/** Throws an Error if a block is left out for an unknown reason, or has no end. */
export function readPage(text: string): Step[] {
  const steps: Step[] = [];
  for (const part of partsOf(text.split('\n'))) {
    if ('kind' in part) steps.push(part);
    else steps.push(...stepsOf(part));
  }
  return steps;
}

function stepsOf(block: Block): Step[] {
  const { language, lines, line, notes } = block;
  const path = notes.get('file');
  if (path !== undefined) return [{ kind: 'file', path, text: `${lines.join('\n')}\n`, line }];
  if (language === 'json') return [{ kind: 'json', text: lines.join('\n'), line }];
  if (language !== 'sh' && language !== 'console') return [];
  const reason = notes.get('not run');
  if (reason !== undefined) {
    if (!REASONS.some((known) => reason.startsWith(known)))
      throw new Error(
        `line ${line}: "${reason}" is not a reason to leave a block out. Known are ${REASONS.join(', ')}.`,
      );
    return [
      {
        kind: 'shown',
        commands: language === 'sh' ? joinContinued(lines) : commandsOf(lines).map(({ command }) => command),
        line,
      },
    ];
  }
  const exitCode = Number(notes.get('exit') ?? 0);
  if (language === 'sh')
    return [{ kind: 'command', command: `set -e\n${lines.join('\n')}`, expected: [], exitCode, line }];
  return commandsOf(lines).map(({ command, expected, at }) => ({
    kind: 'command',
    command,
    expected,
    exitCode,
    line: line + 1 + at,
  }));
}

function commandsOf(lines: readonly string[]): { command: string; expected: string[]; at: number }[] {
  const found: { command: string; expected: string[]; at: number }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!line.startsWith('$ ')) {
      if (found.length === 0)
        throw new Error(`A console block must begin with "$ ", not with ${JSON.stringify(line)}.`);
      found.at(-1)!.expected.push(line);
      continue;
    }
    let command = line.slice(2);
    const begin = at;
    while (command.endsWith('\\')) command = `${command}\n${lines[++at] ?? ''}`;
    found.push({ command, expected: [], at: begin });
  }
  return found;
}

/** Lines of a script, with those that end in a backslash joined with the next. */
function joinContinued(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
}

type Part = Block | Extract<Step, { kind: 'fixture' | 'needs bubblewrap' }>;

function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let notes = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const note = /^\s*<!-- (run in|exit|not run|file): (.+) -->$/.exec(line);
    const fence = /^(\s*)(`{3,}|~{3,})(\w*)/.exec(line);
    if (/^\s*<!-- needs bubblewrap -->$/.test(line)) parts.push({ kind: 'needs bubblewrap', line: at + 1 });
    else if (note?.[1] === 'run in') parts.push({ kind: 'fixture', name: note[2]!, line: at + 1 });
    else if (note !== null) notes.set(note[1]!, note[2]!);
    else if (fence !== null) {
      const end = lines.findIndex((other, index) => index > at && other.trim() === fence[2]);
      if (end < 0) throw new Error(`line ${at + 1}: the fence has no end.`);
      const inner = lines
        .slice(at + 1, end)
        .map((text) => text.slice(Math.min(fence[1]!.length, text.search(/\S|$/))));
      parts.push({ language: fence[3]!, lines: inner, line: at + 1, notes });
      notes = new Map();
      at = end;
    } else if (line.trim() !== '') notes = new Map();
  }
  return parts;
}
