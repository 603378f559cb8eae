import { basename, extname } from 'node:path';
import { SOURCE_EXTENSIONS } from '../../platform/modules/import-graph.ts';

const TEST_FILE = /\.(test|spec|e2e|bench)\.[cm]?[jt]sx?$|[-_](test|spec)\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(^|\/)(__tests__|__mocks__|__fixtures__|tests?|specs?|fixtures)\//;
const CONFIG_FILE = /(^\.|\.config\.|\.conf\.|rc\.)|^(gulpfile|gruntfile|jest\.setup|vitest\.setup)\b/i;
const GENERATED = /(^|\/)(node_modules|dist|coverage|vendor|\.[^/]+)\/|\.min\.|\.d\.[cm]?ts$|\.generated\./;
const DIST_FOLDER = /(^|\/)dist\//;

/** Whether a file, relative to the root with forward slashes, is a hand-written source and no test or configuration. */
export function isEditableSource(file: string): boolean {
  const extensions: readonly string[] = SOURCE_EXTENSIONS;
  return (
    extensions.includes(extname(file)) &&
    !isTestFile(file) &&
    !GENERATED.test(file) &&
    !CONFIG_FILE.test(basename(file))
  );
}

/** Whether a file is code that a build writes, in a folder `dist`. */
export function isBuiltCode(file: string): boolean {
  const inOther = file.replace(DIST_FOLDER, '$1');
  return inOther !== file && isEditableSource(inOther);
}

/** Whether a file's name marks it as a test file, as opposed to a helper in a test folder. */
export function holdsTests(file: string): boolean {
  return TEST_FILE.test(file) || /^test\.[cm]?[jt]sx?$/.test(basename(file));
}

/** Whether a file's name or folder marks it as part of the tests. */
export function isTestFile(file: string): boolean {
  return holdsTests(file) || TEST_FOLDER.test(file);
}
