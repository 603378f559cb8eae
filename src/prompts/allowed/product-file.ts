import { isProtectedName } from '../policy.ts';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
/** Folders and files that judge, configure or build, and are no part of the product. */
const ASIDE =
  /(?:^|\/)(?:\.[^/]*|node_modules|tests?|specs?|e2e|cypress|__[a-z]+__|fixtures?|mocks?|stubs?|testdata|scripts?|tools?|ci|config|coverage|bench(?:marks?)?)\/|(?:^|\/)\.[^/]+$|\.config\.[cm]?[jt]s$|[._-](?:tests?|specs?|mock|fixture|setup)\.[cm]?[jt]sx?$|(?:^|\/)(?:setup|test|jest|vitest|mocha|karma|gulpfile|gruntfile)[\w.-]*\.[cm]?[jt]sx?$/i;

/** True for a source file of the product by its name: code that neither judges nor configures. */
export function isProductFile(file: string): boolean {
  return CODE.test(file) && !file.split('/').includes('..') && !ASIDE.test(file) && !isProtectedName(file);
}
