import { basename, extname } from 'node:path';

/** Extensions of files that edits may be proposed for. */
export const SOURCE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'] as const;

const TEST_FILE = /\.(test|spec|e2e|bench)\.[cm]?[jt]sx?$|[-_](test|spec)\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(^|\/)(__tests__|__mocks__|__fixtures__|tests?|specs?|fixtures)\//;
const CONFIG_FILE = /(^\.|\.config\.|\.conf\.|rc\.)|^(gulpfile|gruntfile|jest\.setup|vitest\.setup)\b/i;
const MADE_BY_TOOLS =
  /(^|\/)(node_modules|dist|coverage|vendor|\.[^/]+)\/|\.min\.|\.d\.[cm]?ts$|\.generated\./;

/** Whether a file, relative to the root with forward slashes, is written by hand and no test or configuration. */
export function isEditableSource(file: string): boolean {
  const extensions: readonly string[] = SOURCE_EXTENSIONS;
  return (
    extensions.includes(extname(file)) &&
    !isTestFile(file) &&
    !MADE_BY_TOOLS.test(file) &&
    !CONFIG_FILE.test(basename(file))
  );
}

/** Whether a file's own name says that it holds tests, rather than something that tests use. */
export function holdsTests(file: string): boolean {
  return TEST_FILE.test(file) || /^test\.[cm]?[jt]sx?$/.test(basename(file));
}

/** Whether a file's name or folder says that it belongs to the tests. */
export function isTestFile(file: string): boolean {
  return holdsTests(file) || TEST_FOLDER.test(file);
}
