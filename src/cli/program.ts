import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { usageError } from '../errors.ts';
import { nearest } from '../platform/text/nearest.ts';
import { addAnalyzeCommand } from './analyze-command.ts';
import { addCiCommand } from './ci-command.ts';
import { addCompletionCommand } from './completion-command.ts';
import { arrangeHelp } from './help.ts';
import { addInsightsCommand } from './insights-command.ts';
import { addLessonsCommand } from './lessons-command.ts';
import { addMemoryCommand } from './memory-command.ts';
import { addOutput, addSettings } from './options.ts';
import { addPlaybookCommand } from './playbook-command.ts';
import { addMcpCommand } from './mcp-command.ts';
import { addReflectionsCommand } from './reflections-command.ts';
import { addReportCommand } from './report-command.ts';
import { packageFile } from '../platform/package-files.ts';

const CHECK_SETTINGS = ['checks', 'skip', 'weights', 'checkTimeout'];
const MODEL_SETTINGS = ['model', 'baseUrl', 'fallbackModels', 'reflectorModel'];
const ACTOR_SETTINGS = ['actor', 'agent', 'command', 'reflector', 'maxCost', ...MODEL_SETTINGS];
/** What a loop may go on with otherwise than it began. */
const RESUME_SETTINGS = [
  'maxIterations',
  'maxTime',
  'maxCost',
  'maxTokens',
  'checkTimeout',
  'sandbox',
  'allowNetwork',
  ...MODEL_SETTINGS,
];

/** What adds commands, by their names. */
const PARTS: readonly (readonly [
  names: readonly string[],
  add: (program: Command, argv: readonly string[]) => void,
])[] = [
  [['run'], addRunCommand],
  [['evaluate'], addEvaluateCommand],
  [['resume', 'status', 'list', 'abort', 'apply', 'undo', 'logs'], addLoopCommands],
  [['reflections'], addReflectionsCommand],
  [['ci'], addCiCommand],
  [['mcp'], addMcpCommand],
  [['lessons'], addLessonsCommand],
  [['insights'], addInsightsCommand],
  [['playbook'], addPlaybookCommand],
  [['memory'], addMemoryCommand],
  [['analyze'], addAnalyzeCommand],
  [['report'], addReportCommand],
  [['init', 'doctor', 'config'], addSetupCommands],
  [['completion'], addCompletionCommand],
  [['bench'], addBenchCommands],
];

/**
 * Every command with its flags; of a command line that begins with a command's name, those that come with it alone.
 * A command's own code is loaded only when it runs.
 */
export function createProgram(argv: readonly string[]): Command {
  const program = new Command('ralph');
  program
    .description('The coding-agent loop that stops at green, not at "done".')
    .version(version(), '-V, --version')
    .showSuggestionAfterError()
    .exitOverride();
  const asked = PARTS.filter(([names]) => names.includes(argv[0]!));
  for (const [, add] of asked.length > 0 ? asked : PARTS) add(program, argv);
  arrangeHelp(program);
  for (const command of [...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().copyInheritedSettings(program);
  return program;
}

function addRunCommand(program: Command, argv: readonly string[]): void {
  const run = program
    .command('run [task...]', { isDefault: true })
    .summary('take this repository to a verified green')
    .description(
      'Attempts, judges, reflects and tries again until every check passes. Without a task: whatever fails.',
    )
    .optionsGroup('Task:')
    .option('-p, --prompt <text>', 'the task, as an option')
    .option('-P, --prompt-file <file>', "the task, from a file; '-' is standard input")
    .option('--issue <ref>', 'the task, from an issue of GitHub, such as octo-org/shop#42')
    .option('--tasks <file>', 'a loop for each open task of a Markdown checklist or a prd.json')
    .option('--parallel <n>', 'with --tasks: loops at the same time (1)')
    .optionsGroup('Result:')
    .option('--commit', 'commit a verified result on the current branch')
    .option('--branch', 'leave a verified result on the branch ralph/<loop-id>')
    .option('--create-pr', 'bring a verified result as a pull request on GitHub')
    .option('--dry-run', 'say what would be done, and do nothing');
  addSettings(run);
  addOutput(run).action(async (words: string[], options) => {
    refuseMistypedCommand(program, words, argv);
    await (await import('./commands/run.ts')).runCommand(words, options);
  });
}

function addEvaluateCommand(program: Command): void {
  const evaluate = program
    .command('evaluate')
    .description('Run the checks of this tree once and print the reward.');
  addSettings(evaluate, [
    ...['checks', 'skip', 'weights', 'checkTimeout', 'isolation'],
    ...['sandbox', 'allowNetwork', 'passEnv', 'sandboxRead', 'sandboxWrite'],
  ]);
  addOutput(evaluate).action(async (options) =>
    (await import('./commands/evaluate.ts')).evaluateCommand(options),
  );
}

function addLoopCommands(program: Command): void {
  const resume = program
    .command('resume [loop-id]')
    .description('Go on with a loop behind its last finished step.');
  addSettings(resume, RESUME_SETTINGS);
  addOutput(resume).action(async (id: string | undefined, options) =>
    (await import('./commands/resume.ts')).resumeCommand(id, options),
  );
  addOutput(
    program.command('status [loop-id]').description('Where a loop stands; the newest by default.'),
  ).action(async (id: string | undefined, options) =>
    (await import('./commands/status.ts')).statusCommand(id, options),
  );
  addOutput(program.command('list').description('Every loop of this repository, newest first.')).action(
    async (options) => (await import('./commands/status.ts')).listCommand(options),
  );
  program
    .command('abort [loop-id]')
    .description('Stop the running loop; what it finished is kept.')
    .action(async (id: string | undefined) => (await import('./commands/abort.ts')).abortCommand(id));
  program
    .command('apply [loop-id]')
    .description("Apply a loop's best attempt to this tree, verified or not.")
    .option('--commit', 'commit it on the current branch')
    .option('--branch', 'leave it on the branch ralph/<loop-id>')
    .action(async (id: string | undefined, options) =>
      (await import('./commands/apply.ts')).applyCommand(id, options),
    );
  program
    .command('undo [loop-id]')
    .description('Take an applied result back.')
    .action(async (id: string | undefined) => (await import('./commands/apply.ts')).undoCommand(id));
  addOutput(program.command('logs [loop-id]').description('What each attempt did, action by action.')).action(
    async (id: string | undefined, options) => (await import('./commands/logs.ts')).logsCommand(id, options),
  );
}

function addSetupCommands(program: Command): void {
  program
    .command('init')
    .summary('write a commented configuration and the ignore lines')
    .description(
      'Ask three questions, and write a commented ralph.config.mjs and the ignore lines. Overwrites nothing.',
    )
    .option('-y, --yes', 'ask nothing')
    .action(async (options) => (await import('./commands/init.ts')).initCommand(options));
  const doctor = program
    .command('doctor')
    .description('What was detected, what is missing, and whether the checks say the same in the workspace.')
    .option('--quick', 'do not run the checks');
  addSettings(doctor, [...CHECK_SETTINGS, ...ACTOR_SETTINGS]);
  addOutput(doctor).action(async (options) => (await import('./commands/doctor.ts')).doctorCommand(options));
  const config = program.command('config').description('The configuration as it is resolved here.');
  addOutput(addSettings(config.command('show').description('Print every setting.'))).action(async (options) =>
    (await import('./commands/config.ts')).configShowCommand(options),
  );
}

function addBenchCommands(program: Command): void {
  const bench = program.command('bench').description('Measure what ralph repairs.');
  bench
    .command('humanevalfix <file>')
    .description(
      'The problems of a HumanEvalFix file (JSON lines), judged by tests that the search may not see.',
    )
    .addOption(
      new Option('--visible <tests>', 'tests that the search sees')
        .choices(['example', 'full'])
        .default('full'),
    )
    .addOption(
      new Option('--mode <mode>', 'the loop in this process, or ralph run in a repository')
        .choices(['in-process', 'repository'])
        .default('in-process'),
    )
    .option('--budget <seconds>', 'time for one problem', '60')
    .option('--jobs <n>', 'problems at a time', '1')
    .option('--only <ids>', 'task_ids to try, with commas between')
    .option('--keep <dir>', 'leave the packages here, as ralph left them')
    .option('--json <file>', "results as JSON; '-' is standard output")
    .action(async (file: string, options) =>
      (await import('./commands/bench.ts')).humanEvalFixCommand(file, options),
    );
  bench
    .command('commits [repository] [commit...]')
    .description('Fixes of a local clone: the bug is rebuilt, and ralph run compared with the developer.')
    .option('--from <file>', 'JSON list of { "repository", "commits" }')
    .option('--clones <dir>', 'folder with the clones that --from names, each at its name')
    .option('--budget <seconds>', 'time for one commit', '300')
    .option('--json <file>', "results as JSON; '-' is standard output")
    .action(async (repository: string | undefined, commits: string[], options) =>
      (await import('./commands/bench.ts')).commitsCommand(repository, commits, options),
    );
}

/** `ralph evalute` is a mistyped command, not a task: one word that is near a command's name. */
function refuseMistypedCommand(program: Command, words: readonly string[], argv: readonly string[]): void {
  const [word] = words;
  if (argv[0] === 'run' || words.length !== 1 || word === undefined || !/^[a-z-]+$/.test(word)) return;
  const near = nearest(
    word,
    program.commands.map((command) => command.name()),
  );
  if (near === undefined) return;
  throw usageError(
    `"${word}" is no command of ralph.`,
    `Did you mean "ralph ${near}"? If it is the task: ralph run "${word}"`,
  );
}

function version(): string {
  const path = packageFile('package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
