import { isShellProgram, mayJudge } from '../../workspace/protect/judging-paths.ts';
import { isConfiguration, isTest } from '../../workspace/protect/protected-paths.ts';

/** Files of these folders configure what a test reads, not how it runs. */
const FIXTURES = /(^|\/)(__fixtures__|fixtures)\//;

/** True for a file that configures the checks by its name; memory and prompts of ralph are a matter of their own. */
export function configuresChecks(path: string): boolean {
  return isConfiguration(path) && !FIXTURES.test(path) && !/^\.aiwg(\/|$)/.test(path);
}

/** True for a program or a file of data that a command may run or read to judge the code. Tests are the branch's own. */
export function mayBeRun(path: string): boolean {
  return mayJudge(path) && (!isTest(path) || isShellProgram(path));
}
