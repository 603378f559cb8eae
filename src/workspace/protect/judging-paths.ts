import { posix } from 'node:path';
import { BUILD_FILES, DATA } from './started-programs.ts';

const SHELL = /\.(?:ba|z|da|k)?sh$/;
/** Documents, which have no ending either. */
const DOCUMENT =
  /(?:^|\/)(?:licen[cs]e|copying|notice|patents|authors|contributors|maintainers|credits|readme|contributing|changelog|changes|history|news|security|support|version)$/i;
/** Files that an interpreter runs. */
export const PROGRAM = /\.(?:[cm]?[jt]sx?|py|rb|pl)$/;
/** Names and folders of what checks a product rather than belongs to it. */
export const CHECKING =
  /(^|[/._-])(scripts?|tools?|ci|hack|check(s|er)?|tests?|specs?|verify|validate|accept(ance)?|smoke|e2e)([/._-]|$)/i;

/** True for a file that a command may run to judge the product, by its path alone. */
export function mayJudge(path: string): boolean {
  return isShellProgram(path) || ((PROGRAM.test(path) || DATA.test(path)) && CHECKING.test(path));
}

/** True for a shell script, a part of a Makefile, or a program without an ending that is not in a `bin` folder. */
export function isShellProgram(path: string): boolean {
  const name = posix.basename(path);
  if (SHELL.test(path) || BUILD_FILES.includes(name) || /\.(mk|make)$/.test(path)) return true;
  return !name.includes('.') && !/(^|\/)bin\//.test(path) && !DOCUMENT.test(path);
}

/** True for a name without an ending that no build tool looks for. */
export function hasNoEnding(path: string): boolean {
  const name = posix.basename(path);
  return !name.includes('.') && !BUILD_FILES.includes(name);
}

/** True below a folder with a name such as `scripts` or `tools`. */
export function isInCheckFolder(path: string): boolean {
  return CHECKING.test(`${posix.dirname(path)}/`);
}
