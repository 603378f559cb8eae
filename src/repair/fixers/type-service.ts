import { dirname } from 'node:path';
import type ts from 'typescript';
import { serviceFixes } from './quick-fixes.ts';
import type { TypeProblem, TypeProject } from './type-project.ts';

/** The projects of a configuration file: itself, or those that it references if it has no files of its own. */
export function projectsOf(api: typeof ts, config: string): string[] {
  const parsed = parseConfig(api, config);
  if (parsed.fileNames.length > 0 || parsed.projectReferences === undefined) return [config];
  return parsed.projectReferences.map((reference) => api.resolveProjectReferencePath(reference));
}

/** Opens a project with the JavaScript interface of TypeScript 6 or older. Throws if its configuration cannot be read. */
export function openServiceProject(api: typeof ts, config: string): TypeProject {
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
    realpath: api.sys.realpath,
  };
  const service = api.createLanguageService(host);
  const textOf = (path: string): string => read(path) ?? '';
  return {
    files: fileNames,
    textOf,
    setText: (path, text) => texts.set(path, { text, version: (texts.get(path)?.version ?? 0) + 1 }),
    errorsOf: (path) => Promise.resolve(errorsIn(api, service, path)),
    quickFixesFor: (problem, mayChange) =>
      Promise.resolve(serviceFixes({ api, service, textOf }, problem, mayChange)),
    definitionsAt({ path, start }) {
      const found = service.getDefinitionAtPosition(path, start) ?? [];
      return Promise.resolve(
        found.map(({ fileName, textSpan }) => ({ path: fileName, start: textSpan.start })),
      );
    },
  };
}

function errorsIn(api: typeof ts, service: ts.LanguageService, path: string): TypeProblem[] {
  return [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
    .filter(({ category }) => category === api.DiagnosticCategory.Error)
    .map(({ start = 0, length = 0, code, messageText, relatedInformation = [] }) => {
      const message = api.flattenDiagnosticMessageText(messageText, '\n');
      const related = relatedInformation.flatMap((hint) =>
        hint.file === undefined ? [] : [{ path: hint.file.fileName, start: hint.start ?? 0 }],
      );
      return { path, start, length, code, message, related };
    });
}

/** Parses a configuration file with everything that it extends. Throws an Error if it cannot be read. */
export function parseConfig(api: typeof ts, config: string): ts.ParsedCommandLine {
  const { config: json, error } = api.readConfigFile(config, (path) => api.sys.readFile(path));
  if (error !== undefined) throw new Error(api.flattenDiagnosticMessageText(error.messageText, ' '));
  return api.parseJsonConfigFileContent(json, api.sys, dirname(config), undefined, config);
}
