import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type {
  CodeAction,
  Command,
  Diagnostic,
  Location,
  LocationLink,
  Position,
} from 'vscode-languageserver-types';
import type { LanguageClient } from './language-client.ts';
import { offsetAt, rangeOf } from './positions.ts';
import { actionFixes, spellingFixes } from './server-fixes.ts';
import type { TypePlace, TypeProblem, TypeProject } from './type-project.ts';

/** A configuration file and the files of its project. */
interface ServerConfig {
  /** Absolute paths. */
  readonly config: string;
  readonly files: readonly string[];
}

const SHOW_MS = 30_000;
const SHOW_CHARS = 64_000_000;
/** The lowest severity that counts. The server reports unused names as warnings, the compiler as errors. */
const WARNING = 2;

/**
 * The projects of a configuration file with their files, as the compiler at `bin` reads them: itself, or those that it
 * references if it has no files of its own. Rejects if the compiler fails.
 */
export async function serverProjects(bin: string, config: string): Promise<ServerConfig[]> {
  const shown = await showConfig(bin, config);
  const references = shown.references ?? [];
  if (shown.files !== undefined || references.length === 0) {
    return [{ config, files: (shown.files ?? []).map((file) => resolve(dirname(config), file)) }];
  }
  const targets = references.map(({ path }) => configFile(resolve(dirname(config), path)));
  const projects = targets.map(async (target) => {
    const { files = [] } = await showConfig(bin, target);
    return { config: target, files: files.map((file) => resolve(dirname(target), file)) };
  });
  return await Promise.all(projects);
}

/** Opens a project of TypeScript 7's language server. Its methods reject if the server ends. */
export function openServerProject(client: LanguageClient, files: readonly string[]): TypeProject {
  const texts = new Map<string, { text: string; version: number }>();
  const textOf = (path: string): string => texts.get(path)?.text ?? readFileSync(path, 'utf8');
  return {
    files,
    textOf,
    setText(path, text) {
      const version = (texts.get(path)?.version ?? 0) + 1;
      const uri = uriOf(path);
      texts.set(path, { text, version });
      if (version === 1) {
        const languageId = LANGUAGES[extname(path).replace(/[cm]/, '')] ?? 'typescript';
        client.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      } else {
        client.notify('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
      }
    },
    async errorsOf(path) {
      const { items = [] } = await client.request<{ items?: Diagnostic[] }>('textDocument/diagnostic', {
        textDocument: { uri: uriOf(path) },
      });
      return items
        .filter(({ severity = 1 }) => severity <= WARNING)
        .map((item) => problemOf(path, item, textOf));
    },
    async quickFixesFor(problem, mayChange) {
      const text = textOf(problem.path);
      const { code, message } = problem;
      const range = rangeOf(text, problem.start, problem.length);
      const actions = await client.request<(CodeAction | Command)[] | null>('textDocument/codeAction', {
        textDocument: { uri: uriOf(problem.path) },
        range,
        context: { diagnostics: [{ range, code, message, severity: 1, source: 'ts' }], only: ['quickfix'] },
      });
      const fixes = [...actionFixes(actions ?? [], textOf), ...spellingFixes(problem, text)];
      return fixes.filter(({ texts: changed }) => [...changed.keys()].every(mayChange));
    },
    async definitionsAt({ path, start }) {
      const { start: position } = rangeOf(textOf(path), start, 0);
      const found = await client.request<Location | (Location | LocationLink)[] | null>(
        'textDocument/definition',
        { textDocument: { uri: uriOf(path) }, position },
      );
      const list = found === null ? [] : Array.isArray(found) ? found : [found];
      return list.map((item) =>
        'uri' in item
          ? placeOf(item.uri, item.range.start, textOf)
          : placeOf(item.targetUri, item.targetSelectionRange.start, textOf),
      );
    },
  };
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.jsx': 'javascriptreact',
};

/** Hints such as "Did you forget to use 'await'?" are related information of the error; they are added to its message. */
function problemOf(
  path: string,
  { range, code, message, relatedInformation = [] }: Diagnostic,
  textOf: (path: string) => string,
): TypeProblem {
  const text = textOf(path);
  const start = offsetAt(text, range.start);
  const length = offsetAt(text, range.end) - start;
  const lines = [typeof message === 'string' ? message : message.value];
  for (const hint of relatedInformation) lines.push(hint.message);
  const related = relatedInformation.map(({ location }) =>
    placeOf(location.uri, location.range.start, textOf),
  );
  return { path, start, length, code: Number(code), message: lines.join('\n'), related };
}

function placeOf(uri: string, position: Position, textOf: (path: string) => string): TypePlace {
  const path = fileURLToPath(uri);
  return { path, start: offsetAt(textOf(path), position) };
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

interface ShownConfig {
  readonly files?: readonly string[];
  readonly references?: readonly { readonly path: string }[];
}

async function showConfig(bin: string, config: string): Promise<ShownConfig> {
  const { stdout } = await execa(process.execPath, [bin, '--showConfig', '--project', config], {
    cwd: dirname(config),
    timeout: SHOW_MS,
    maxBuffer: SHOW_CHARS,
  });
  return JSON.parse(stdout) as ShownConfig;
}

/** The configuration file of a reference, which names the file or its folder. */
function configFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'tsconfig.json') : path;
}
