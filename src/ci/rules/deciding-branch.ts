import { posix } from 'node:path';
import { isSource } from '../../workspace/protect/configuration.ts';
import { hasNoEnding, isInCheckFolder, isShellProgram } from '../../workspace/protect/judging-paths.ts';
import { isBuildFile, type JudgingPrograms } from '../../workspace/protect/judging-programs.ts';
import { isEnvironment, isNamedTest, isTest } from '../../workspace/protect/protected-paths.ts';
import { mayBeRun } from './judging-paths.ts';

/**
 * Why the default branch decides on a file: `judge`, its checks run or read it; `unread`, a program, or a file that git does
 * not track, which no test leads to. `own`: the branch under repair decides.
 */
export type Decision = 'judge' | 'unread' | 'own';

/** Facts about the files of both branches. Paths are relative to the root. */
export interface DecidingFacts {
  readonly programs: JudgingPrograms;
  readonly isOnDefault: (path: string) => boolean;
  /** True for a file in a package that only the branch has. */
  readonly isInNewPackage: (path: string) => boolean;
  readonly tracking: (path: string) => 'tracked' | 'untracked' | 'ignored';
  /** True for a file that may be executed, or whose text names an interpreter. */
  readonly isProgram: (path: string) => boolean;
  /** True for a file that tests of the branch load, without the patch. */
  readonly isTested: (path: string) => boolean;
  /** True for a file that tests or entries load or name, with the patch. */
  readonly isRead: (path: string) => boolean;
  /** True for a file that the patch changes, or that such a file loads. */
  readonly isRepaired: (path: string) => boolean;
}

/** Decides which branch's version of a file is judged. Configuration and package.json have rules of their own. Pure. */
export function decide(path: string, facts: DecidingFacts): Decision {
  const { programs, isOnDefault, tracking } = facts;
  if (facts.isInNewPackage(path)) return 'own';
  if (programs.named.has(path)) return 'judge';
  const named = isOnDefault(path) || isNamedTest(path) ? 'no' : programs.namesAbsent(path);
  if (tracking(path) === 'ignored') return isEnvironment(path) && named === 'path' ? 'judge' : 'own';
  if (named === 'path') return 'judge';
  if (isTest(path) && !programs.loaded.has(path) && !programs.run.has(path)) return 'own';
  if (isEnvironment(path) || isNewBuildFile(path, facts)) return 'judge';
  if (programs.loaded.has(path)) return facts.isTested(path) ? 'own' : 'judge';
  if (programs.run.has(path))
    return facts.isTested(path) || (isLikeProduct(path) && facts.isRepaired(path)) ? 'own' : 'judge';
  const isInRead = !isOnDefault(path) && mayBeRun(path) && programs.readsFolderOf(path);
  if (isInRead && !facts.isTested(path)) return 'judge';
  if (facts.isRead(path)) return 'own';
  if (named === 'ending' && !isSource(path)) return 'judge';
  const isLoose = mayBeRun(path) && (isShellProgram(path) || !isSource(path)) && !isText(path, facts);
  return isLoose || tracking(path) === 'untracked' ? 'unread' : 'own';
}

/** True for a file such as a `Dockerfile`: without an ending and outside of the folders of checks, and no program. */
function isText(path: string, { isProgram }: DecidingFacts): boolean {
  return hasNoEnding(path) && !isInCheckFolder(path) && !isProgram(path);
}

/** True for a file that does not look like one that checks a product. */
function isLikeProduct(path: string): boolean {
  return !isTest(path) && !mayBeRun(path);
}

/** A Makefile beside one that is run: which of them `make` takes depends on their names. */
function isNewBuildFile(path: string, { programs, isOnDefault }: DecidingFacts): boolean {
  return (
    isBuildFile(path) &&
    !isOnDefault(path) &&
    [...programs.named, ...programs.run].some(
      (other) => isBuildFile(other) && posix.dirname(other) === posix.dirname(path),
    )
  );
}
