import { Option, type Command } from 'commander';

const load = () => import('../commands/bench.ts');

/** `ralph bench humanevalfix|commits`. */
export function declareBench(program: Command): void {
  const bench = program.command('bench').description('Measure how many bugs ralph repairs.');
  bench
    .command('humanevalfix <file>')
    .description(
      'Repair the problems of a HumanEvalFix file (JSON lines). They are judged by tests that the search does not see.',
    )
    .addOption(
      new Option('--visible <tests>', 'tests that the search sees')
        .choices(['example', 'full'])
        .default('full'),
    )
    .addOption(
      new Option('--mode <mode>', 'run the loop in this process, or ralph run in a repository')
        .choices(['in-process', 'repository'])
        .default('in-process'),
    )
    .addOption(
      new Option(
        '--part <part>',
        'only the problems on which rules are chosen, or those on which results are reported',
      ).choices(['tuning', 'reporting']),
    )
    .option('--min-confidence <share>', 'confidence from which an edit is applied, 0 to 1')
    .option('--budget <seconds>', 'time limit per problem', '60')
    .option('--jobs <n>', 'problems at the same time', '1')
    .option('--only <ids>', 'run only these task_ids, separated by commas')
    .option('--keep <dir>', 'keep the package of each problem, as ralph left it, in this folder')
    .option('--json <file>', "write the results as JSON; '-' is standard output")
    .action(async (file: string, options) => (await load()).humanEvalFixCommand(file, options));
  bench
    .command('commits [repository] [commit...]')
    .description(
      'Rebuild the bugs that commits of a local clone fixed, and compare ralph run with the fixes of the developers.',
    )
    .option('--from <file>', 'JSON list of { "repository", "commits" }')
    .option('--clones <dir>', 'folder with a clone of each repository that --from names')
    .option('--budget <seconds>', 'time limit per commit', '300')
    .option('--json <file>', "write the results as JSON; '-' is standard output")
    .action(async (repository: string | undefined, commits: string[], options) =>
      (await load()).commitsCommand(repository, commits, options),
    );
}
