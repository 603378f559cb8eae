import { Option, type Command } from 'commander';

/** `ralph bench humanevalfix|commits|reflexion|swe|swe-judge|collect|ablate`. */
export function declareBench(program: Command): void {
  const bench = program.command('bench').description('Measure how many bugs ralph repairs.');
  declareHumanEvalFix(bench);
  declareCommits(bench);
  declareReflexion(bench);
  declareSwe(bench);
  declareCollect(bench);
  declareAblate(bench);
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

function declareSwe(bench: Command): void {
  const command = bench
    .command('swe <file> [flags...]')
    .description(
      'Run ralph on instances in the form of SWE-bench or Multi-SWE-bench (JSON lines; JavaScript and TypeScript), and judge its patches by their tests. Flags after -- go to ralph run.',
    )
    .requiredOption(
      '--clones <dir>',
      'folder with a clone of each repository: name, owner/name or owner__name',
    )
    .addOption(
      new Option('--tests <shown>', 'what the run gets of the tests')
        .choices(['hidden', 'holdout', 'visible'])
        .default('hidden'),
    )
    .option('--install <command>', INSTALL, 'detect')
    .option('--budget <seconds>', 'time limit per instance', '600')
    .option('--total-cost <usd>', 'begin no instance once all together have cost this')
    .option('--jobs <n>', 'instances at the same time', '1')
    .option('--limit <n>', 'try only the first n instances')
    .option('--only <ids>', 'try only these instances, separated by commas')
    .option('--results <file>', 'append each result to this file, and go on after those that it has')
    .option('--predictions <file>', 'write the patches in the form of the data set');
  withOutput(command).action(async (file: string, flags: string[], options) =>
    (await import('../commands/bench/swe.ts')).sweCommand(file, flags, options),
  );
  bench
    .command('swe-judge <file>')
    .description(
      "Judge the tree of the working folder by an instance's tests, which are applied and taken back.",
    )
    .option('--only <id>', 'the instance, if the file has several')
    .action(async (file: string, options) =>
      (await import('../commands/bench/swe.ts')).sweJudgeCommand(file, options),
    );
}

const INSTALL =
  "command that installs the dependencies; detect: that of the package manager; link: the clone's own";

function declareCollect(bench: Command): void {
  const command = bench
    .command('collect <repository>')
    .description(
      'Make instances for ralph bench swe of the commits of a local clone that fix a bug and change a test, newest first.',
    )
    .requiredOption('--out <file>', 'file for the instances; it must not exist')
    .option('--repo <name>', 'owner/name of the repository; default: from the remote origin')
    .option('--most <n>', 'largest number of instances', '10')
    .option('--max-sources <n>', 'largest number of source files of a fix', '2')
    .option('--sizes <classes>', 'only fixes of these classes: small, medium, large, huge')
    .option('--install <command>', INSTALL, 'detect');
  withOutput(command).action(async (repository: string, options) =>
    (await import('../commands/bench/collect.ts')).collectCommand(repository, options),
  );
}

function declareAblate(bench: Command): void {
  const command = bench
    .command('ablate <file> [flags...]')
    .description(
      'Compare variants of ralph run on the same HumanEvalFix problems, in one table with 95 % intervals. Flags after -- go to every run; before the first run the largest cost is printed.',
    )
    .option('--axes <names>', 'strategy, omega, window, memory, reflector', 'strategy,omega,window,memory')
    .option(
      '--arm <name=flags>',
      'one more variant, such as "react=--actor react"; may be repeated',
      (text: string, earlier: string[]) => [...earlier, text],
      [],
    )
    .addOption(
      new Option('--visible <tests>', 'tests that the actor sees')
        .choices(['example', 'full'])
        .default('full'),
    )
    .option('--budget <seconds>', 'time limit per problem', '60')
    .option('--total-cost <usd>', 'begin no run once all together have cost this')
    .option('--jobs <n>', 'variants at the same time', '1')
    .option('--limit <n>', 'only the first n problems')
    .option('--only <ids>', 'only these task_ids, separated by commas')
    .option('--results <file>', 'append each result to this file, and go on after those that it has')
    .option('--html <file>', 'write a page with the table and the curves');
  withOutput(command).action(async (file: string, flags: string[], options) =>
    (await import('../commands/bench/ablate.ts')).ablateCommand(file, flags, options),
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
