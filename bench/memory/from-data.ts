import { packageFiles, SOURCE_FILE } from '../datasets/humanevalfix/package-files.ts';
import { readProblems, type Problem } from '../datasets/humanevalfix/problems.ts';
import type { Bug, BugSeries } from './repository.ts';

const BUGS_PER_SERIES = 8;

/**
 * Reads a HumanEvalFix file as one series for each bug type: the first eight problems in the file's order, as modules of
 * one repository, with their full tests. Problems that cannot be written as a package are skipped.
 */
export async function seriesFrom(file: string): Promise<BugSeries[]> {
  const byType = Map.groupBy(await readProblems(file), ({ bugType }) => bugType);
  return [...byType].map(([type, problems]) => ({
    name: type,
    from: 'data',
    moduleType: 'commonjs',
    bugs: problems.flatMap(bugOf).slice(0, BUGS_PER_SERIES),
  }));
}

function bugOf(problem: Problem): Bug[] {
  const module = problem.taskId.replace(/[^\w]+/g, '-').toLowerCase();
  try {
    const files = packageFiles(problem, 'full');
    const [, test] = Object.entries(files).find(([path]) => path.startsWith('test/'))!;
    return [
      { module, source: files[SOURCE_FILE]!, test: test.replace('../src/index.js', `../src/${module}.js`) },
    ];
  } catch {
    return [];
  }
}
