import { printable } from '../platform/text/printable.ts';
import type { CheckPlan, ProjectPlan } from '../ports.ts';

/** The checks of a plan as lines of text, with the confirming test command and the notes of the detection. */
export function renderPlan(plan: ProjectPlan): string[] {
  return [
    ...plan.checks.flatMap(renderCheck),
    ...(plan.testCommand === undefined
      ? []
      : [`confirm   ${printable(plan.testCommand.command)}, once, before a result is accepted`]),
    ...plan.notes.map((note) => `note      ${printable(note)}`),
  ];
}

function renderCheck(check: CheckPlan): string[] {
  const version = check.version === undefined ? '' : ` ${check.version}`;
  const args = check.args.length === 0 ? '' : `  ${printable(check.args.join(' '))}`;
  const folder = check.cwd === '.' || check.cwd === '' ? '' : `  in ${printable(check.cwd)}`;
  return [
    `check     ${check.name}: ${check.tool}${version}${args}  (from ${printable(check.source)}, weight ${check.weight})`,
    `            runs: ${printable(commandLineOf(check))}${folder}`,
    ...check.setup.map((command) => `            after: ${printable(command)}`),
  ];
}

/** The command line of the tool, without the reporter that ralph adds. */
function commandLineOf({ tool, bin, args }: CheckPlan): string {
  if (tool === 'command') return args.join(' ');
  const program =
    tool === 'node' ? ['node', ...(args.includes('--test') ? [] : ['--test'])] : ['node', bin ?? tool];
  return [...program, ...args].join(' ');
}
