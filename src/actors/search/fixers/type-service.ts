import { dirname, relative, sep } from 'node:path';
import type ts from 'typescript';

/** One TypeScript project held in memory: its files can be changed and judged without touching the disk. */
export interface TypeService {
  readonly api: typeof ts;
  readonly service: ts.LanguageService;
  /** Paths of the project's own files. */
  readonly files: readonly string[];
  textOf(path: string): string;
  /** Puts a text in place of the file's until it is changed again. */
  setText(path: string, text: string): void;
  /** Errors of one file, in order. */
  errorsOf(path: string): ts.Diagnostic[];
  /** Number of errors in each of the project's files. */
  countErrors(): Map<string, number>;
  /** Relative to the root, with forward slashes. */
  relativeTo(root: string, path: string): string;
}

/** The projects of a configuration file: itself, or those that it refers to where it has no files. */
export function projectsOf(api: typeof ts, config: string): string[] {
  const parsed = parseConfig(api, config);
  if (parsed.fileNames.length > 0 || parsed.projectReferences === undefined) return [config];
  return parsed.projectReferences.map((reference) => api.resolveProjectReferencePath(reference));
}

/** Opens a project. Throws when its configuration cannot be read. */
export function openProject(api: typeof ts, config: string): TypeService {
  const { fileNames, options, projectReferences } = parseConfig(api, config);
  const texts = new Map<string, { text: string; version: number }>();
  const read = (path: string): string | undefined => texts.get(path)?.text ?? api.sys.readFile(path);
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getCurrentDirectory: () => dirname(config),
    getDefaultLibFileName: (settings) => api.getDefaultLibFilePath(settings),
    getProjectReferences: () => projectReferences,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => String(texts.get(path)?.version ?? 0),
    getScriptSnapshot(path) {
      const text = read(path);
      return text === undefined ? undefined : api.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => api.sys.fileExists(path),
    readFile: read,
    readDirectory: (...args) => api.sys.readDirectory(...args),
    directoryExists: (path) => api.sys.directoryExists(path),
    getDirectories: (path) => api.sys.getDirectories(path),
    ...(api.sys.realpath && { realpath: api.sys.realpath }),
  };
  const service = api.createLanguageService(host);
  const errorsOf = (path: string): ts.Diagnostic[] =>
    [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].filter(
      ({ category }) => category === api.DiagnosticCategory.Error,
    );
  return {
    api,
    service,
    files: fileNames,
    errorsOf,
    textOf: (path) => read(path) ?? '',
    setText: (path, text) => texts.set(path, { text, version: (texts.get(path)?.version ?? 0) + 1 }),
    countErrors: () => new Map(fileNames.map((path) => [path, errorsOf(path).length])),
    relativeTo: (root, path) => relative(root, path).split(sep).join('/'),
  };
}

function parseConfig(api: typeof ts, config: string): ts.ParsedCommandLine {
  const { config: json, error } = api.readConfigFile(config, (path) => api.sys.readFile(path));
  if (error !== undefined) throw new Error(api.flattenDiagnosticMessageText(error.messageText, ' '));
  return api.parseJsonConfigFileContent(json, api.sys, dirname(config), undefined, config);
}
