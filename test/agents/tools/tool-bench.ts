/** The real tools in a temporary folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTools, type ToolsOptions } from '../../../src/agents/tools/index.ts';
import type { Action } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';

export interface ToolBench {
  readonly root: string;
  readonly actions: readonly Action[];
  /** Calls a tool; resolves with its text. */
  call(name: string, input: object, signal?: AbortSignal): Promise<string>;
  /** Calls a tool that must fail; resolves with the error message. */
  refusal(name: string, input: object): Promise<string>;
  text(path: string): string;
  put(path: string, content: string | Buffer): void;
}

export function toolBench(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: Partial<ToolsOptions> = {},
): ToolBench {
  const root = options.root ?? temporaryFolder();
  const actions: Action[] = [];
  const tools = createTools({
    root,
    cwd: '.',
    bashTimeoutMs: 30_000,
    onAction: (action) => actions.push(action),
    ...options,
  });
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const call = (name: string, input: object, signal = new AbortController().signal): Promise<string> =>
    tools[name]!.run(input as never, signal);
  return {
    root,
    actions,
    call,
    put,
    text: (path) => readFileSync(join(root, path), 'utf8'),
    refusal: (name, input) =>
      call(name, input).then(
        (text) => `NOT REFUSED: ${text}`,
        (error: Error) => error.message,
      ),
  };
}
