import { shellWord } from '../platform/processes/shell-words.ts';
import { printable } from '../platform/text/printable.ts';
import type { CheckOffer, CheckPlan, ProjectPlan } from '../ports/plan.ts';

/** The checks of a plan as lines of text, with the confirming test command and the notes of the detection. */
export function renderPlan(plan: ProjectPlan): string[] {
  return [
    ...plan.checks.flatMap(renderCheck),
    ...(plan.testCommand === undefined
      ? []
      : [`confirm   ${printable(plan.testCommand.command)}, once, before a result is accepted`]),
    ...(plan.offers ?? []).map((offer) => `offer     ${renderOffer(offer)}`),
    ...plan.notes.map((note) => `note      ${printable(note)}`),
  ];
}

/** One line: why an offer is no check, and how the user adds it. */
export function renderOffer({ check, command, source }: CheckOffer): string {
  return `${check}: no script runs ${printable(source)}, so it is not checked; add it with --check ${check}="${printable(command)}"`;
}

function renderCheck(check: CheckPlan): string[] {
  const version = check.version === undefined ? '' : ` ${check.version}`;
  const args = check.args.length === 0 ? '' : `  ${printable(shortened(check.args))}`;
  const folder = check.cwd === '.' || check.cwd === '' ? '' : `  in ${printable(check.cwd)}`;
  return [
    `check     ${check.name}: ${check.tool}${version}${args}  (from ${printable(check.source)}, weight ${Number(check.weight.toFixed(3))})`,
    `            runs: ${printable(`${variablesOf(check)}${commandLineOf(check)}`)}${folder}`,
    ...check.setup.map((command) => `            after: ${printable(command)}`),
  ];
}

const MAX_ARGUMENT_CHARS = 120;

/** A wrapper may pass a whole configuration as one argument. */
function shortened(args: readonly string[]): string {
  return args
    .map((word) => (word.length > MAX_ARGUMENT_CHARS ? `${word.slice(0, MAX_ARGUMENT_CHARS)}…` : word))
    .join(' ');
}

/** The variables that the script sets for the tool, as a shell reads them; empty if there are none. */
function variablesOf({ env = {} }: CheckPlan): string {
  const set = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  return set.length === 0 ? '' : `${shortened(set)} `;
}

/** The command line of the tool, without the reporter that ralph adds. */
function commandLineOf({ tool, bin, args }: CheckPlan): string {
  if (tool === 'command') return args.join(' ');
  const program =
    tool === 'node' ? ['node', ...(args.includes('--test') ? [] : ['--test'])] : ['node', bin ?? tool];
  return `${program.join(' ')} ${shortened(args)}`.trimEnd();
}
