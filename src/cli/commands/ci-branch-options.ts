import { CI_DEFAULTS, type CiSettings } from '../../ci/settings.ts';
import { usageError } from '../../errors.ts';
import { hasLabel } from '../../ci/rules/labels.ts';

/** Flags for branches and labels, shared by `ralph ci plan` and `ralph ci publish`. */
export interface BranchOptions {
  readonly remote?: string;
  readonly branchPrefix?: string;
  readonly memoryBranch?: string;
  readonly label?: string;
  readonly optOutLabel?: string;
}

export type BranchSettings = Pick<CiSettings, 'label' | 'optOutLabel' | 'branchPrefix' | 'memoryBranch'>;

/** Letters, digits, dots, slashes and dashes; git itself refuses a few of these, such as a final `.lock`. */
const BRANCH = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/;

/** Fills in the defaults. Actions passes unset inputs as empty texts, so these count as not given. Throws a usage error. */
export function resolveBranchOptions(options: BranchOptions): BranchSettings {
  const settings = {
    label: nonEmpty(options.label) ?? CI_DEFAULTS.label,
    optOutLabel: nonEmpty(options.optOutLabel) ?? CI_DEFAULTS.optOutLabel,
    branchPrefix: nonEmpty(options.branchPrefix) ?? CI_DEFAULTS.branchPrefix,
    memoryBranch: nonEmpty(options.memoryBranch) ?? CI_DEFAULTS.memoryBranch,
  };
  requireBranchName('--branch-prefix', settings.branchPrefix);
  requireBranchName('--memory-branch', settings.memoryBranch);
  if (hasLabel([settings.label], settings.optOutLabel))
    throw usageError(
      `--label and --opt-out-label are both ${JSON.stringify(settings.label)}.`,
      'Choose two different labels.',
    );
  if (settings.memoryBranch.startsWith(settings.branchPrefix))
    throw usageError(
      `--memory-branch ${settings.memoryBranch} must not begin with --branch-prefix ${settings.branchPrefix}.`,
    );
  return settings;
}

/** The text, or undefined if it is blank. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

function requireBranchName(flag: string, name: string): void {
  if (!BRANCH.test(name))
    throw usageError(
      `${flag} ${JSON.stringify(name)} cannot be part of a branch name.`,
      'Use letters, digits, dots, slashes and dashes, such as ralph/fix-',
    );
}
