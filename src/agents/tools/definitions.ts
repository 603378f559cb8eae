/** A tool as described to the model; identical in every repository, for the prompt cache. */
export interface ToolDefinition {
  readonly description: string;
  readonly inputSchema: object;
}

export type ToolName = 'read' | 'list' | 'search' | 'edit' | 'write' | 'bash';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const COUNT = { type: 'integer' } as const;

/** The tools in the order in which they are sent. Their JSON is at most 2,300 bytes in total. */
export const TOOL_DEFINITIONS: Readonly<Record<ToolName, ToolDefinition>> = {
  read: {
    description:
      'Read a text file, plain, from line offset (1-based) on: at most limit or 2000 lines, or 50 KB. Paths of all tools are relative to the package folder or the repository root.',
    inputSchema: inputOf({ path: TEXT, offset: COUNT, limit: COUNT }, ['path']),
  },
  list: {
    description:
      'List a folder (default: the package folder), or with glob (such as **/*.test.ts) the files below it that match. Ignored files are left out.',
    inputSchema: inputOf({ path: TEXT, glob: TEXT }, []),
  },
  search: {
    description:
      'Find lines that match a JavaScript regular expression (or a literal text) in a file or below a folder. Gives file:line: text, at most 100.',
    inputSchema: inputOf({ pattern: TEXT, path: TEXT, glob: TEXT, literal: FLAG, ignoreCase: FLAG }, [
      'pattern',
    ]),
  },
  edit: {
    description:
      'Replace parts of a file. Each oldText must occur exactly once in the file as it is now, and edits must not overlap; if one fails, none is made. Keep oldText short but unique.',
    inputSchema: inputOf(
      {
        path: TEXT,
        edits: {
          type: 'array',
          minItems: 1,
          items: inputOf({ oldText: TEXT, newText: TEXT }, ['oldText', 'newText']),
        },
      },
      ['path', 'edits'],
    ),
  },
  write: {
    description: 'Create a file, or replace a whole file. Folders are made. To change parts, use edit.',
    inputSchema: inputOf({ path: TEXT, content: TEXT }, ['path', 'content']),
  },
  bash: {
    description:
      'Run a command line with sh in the package folder. Gives its output, shortened in the middle beyond 16 KB, and its exit code. timeout is in seconds. What it leaves running is killed.',
    inputSchema: inputOf({ command: TEXT, timeout: COUNT }, ['command']),
  },
};

function inputOf(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
