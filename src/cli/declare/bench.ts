import { Option, type Command } from 'commander';

/** `ralph bench humanevalfix|commits|reflexion`. */
export function declareBench(program: Command): void {
  const bench = program.command('bench').description('Measure how many bugs ralph repairs.');
  declareHumanEvalFix(bench);
  declareCommits(bench);
  declareReflexion(bench);
}

function declareHumanEvalFix(bench: Command): void {
  const command = bench
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
    .option('--keep <dir>', 'keep the package of each problem, as ralph left it, in this folder');
  withOutput(command).action(async (file: string, options) =>
    (await import('../commands/bench/humanevalfix.ts')).humanEvalFixCommand(file, options),
  );
}

function declareCommits(bench: Command): void {
  const command = bench
    .command('commits [repository] [commit...]')
    .description(
      'Rebuild the bugs that commits of a local clone fixed, and compare ralph run with the fixes of the developers.',
    )
    .option('--from <file>', 'JSON list of { "repository", "commits" }')
    .option('--clones <dir>', 'folder with a clone of each repository that --from names')
    .option('--budget <seconds>', 'time limit per commit', '300');
  withOutput(command).action(async (repository: string | undefined, commits: string[], options) =>
    (await import('../commands/bench/commits.ts')).commitsCommand(repository, commits, options),
  );
}

function declareReflexion(bench: Command): void {
  const command = bench
    .command('reflexion <log>')
    .description(
      "Replay a published log of the Reflexion authors' Python runs through the loop, and explain each difference. It runs the log's programs with your rights.",
    )
    .option('--python <program>', 'program of Python 3', 'python3')
    .option('--jobs <n>', 'problems at the same time', '1')
    .option('--limit <n>', 'replay only the first n problems')
    .option('--only <ids>', 'replay only these problems, separated by commas')
    .option('--results <file>', 'append each result to this file, and go on after those that it has');
  withOutput(command).action(async (file: string, options) =>
    (await import('../commands/bench/reflexion.ts')).reflexionCommand(file, options),
  );
}

function withOutput(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'json: one JSON object on standard output, lines on standard error')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--json <file>', "write the results as JSON as well; '-' is standard output");
}
