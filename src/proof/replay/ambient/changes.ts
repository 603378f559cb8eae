/** What tests and settings change of what code finds when it runs. */
export interface Changes {
  /** True if it is not known what is changed. */
  readonly isUnknown: boolean;
  /** True if other files may stand for the packages that code imports. */
  readonly packages: boolean;
  /** True if files or the network are changed. */
  readonly outside: boolean;
  /** True if modules are loaded anew, so that they forget what they hold. */
  readonly state: boolean;
  /** Words of which code has to contain one to find something that is changed: names of globals and of members. */
  readonly words: readonly string[];
  /** Modules that are replaced: names of packages, and paths relative to the root without their ending. */
  readonly modules: readonly string[];
}

const NONE: Changes = {
  isUnknown: false,
  packages: false,
  outside: false,
  state: false,
  words: [],
  modules: [],
};

/** All changes of a list. */
export function joined(list: readonly Partial<Changes>[]): Changes {
  return list.reduce<Changes>(
    (all, one) => ({
      isUnknown: all.isUnknown || one.isUnknown === true,
      packages: all.packages || one.packages === true,
      outside: all.outside || one.outside === true,
      state: all.state || one.state === true,
      words: [...all.words, ...(one.words ?? [])],
      modules: [...all.modules, ...(one.modules ?? [])],
    }),
    NONE,
  );
}

/** True if nothing is changed. */
export function isNone({ isUnknown, packages, outside, state, words, modules }: Changes): boolean {
  return !isUnknown && !packages && !outside && !state && words.length === 0 && modules.length === 0;
}

/** Names of which code that asks for a browser contains one. */
export const BROWSER_WORDS: readonly string[] = [
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'screen',
  'self',
  'localStorage',
  'sessionStorage',
  'XMLHttpRequest',
  'DOMParser',
  'Element',
  'HTMLElement',
  'Node',
  'Event',
  'CustomEvent',
  'MutationObserver',
  'getComputedStyle',
  'matchMedia',
  'requestAnimationFrame',
  'globalThis',
  'global',
];

/** Words of which code that reads environment variables contains one. */
export const ENVIRONMENT_WORDS: readonly string[] = ['env', 'process', 'globalThis', 'global'];
