import { CI_DEFAULTS, type CiSettings } from '../../ci/settings.ts';
import { usageError } from '../../errors.ts';

/** Flags that `ralph ci plan` and `ralph ci publish` share. */
export interface PlaceOptions {
  readonly remote?: string;
  readonly branchPrefix?: string;
  readonly memoryBranch?: string;
  readonly label?: string;
  readonly optOutLabel?: string;
}

export type PlaceSettings = Pick<CiSettings, 'label' | 'optOutLabel' | 'branchPrefix' | 'memoryBranch'>;

/** Letters, digits and what branches are commonly named with; git's own rules are stricter where this is not. */
const BRANCH = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/;

/** Fills in the defaults; an option that Actions gives empty counts as not given. Throws a usage error. */
export function placeSettings(options: PlaceOptions): PlaceSettings {
  const settings = {
    label: given(options.label) ?? CI_DEFAULTS.label,
    optOutLabel: given(options.optOutLabel) ?? CI_DEFAULTS.optOutLabel,
    branchPrefix: given(options.branchPrefix) ?? CI_DEFAULTS.branchPrefix,
    memoryBranch: given(options.memoryBranch) ?? CI_DEFAULTS.memoryBranch,
  };
  refuseName('--branch-prefix', settings.branchPrefix);
  refuseName('--memory-branch', settings.memoryBranch);
  if (settings.label === settings.optOutLabel)
    throw usageError(
      `--label and --opt-out-label are both ${JSON.stringify(settings.label)}.`,
      'Choose two labels.',
    );
  if (settings.memoryBranch.startsWith(settings.branchPrefix))
    throw usageError(
      `--memory-branch ${settings.memoryBranch} begins with --branch-prefix ${settings.branchPrefix}.`,
    );
  return settings;
}

/** The text, where there is any. */
export function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

function refuseName(flag: string, name: string): void {
  if (!BRANCH.test(name))
    throw usageError(
      `${flag} ${JSON.stringify(name)} cannot be part of a branch's name.`,
      'Such as ralph/fix-',
    );
}
