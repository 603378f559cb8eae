/** How a tool's own command line options are treated when its script becomes a check. */
export interface OptionRules {
  /** Options without a value that a check leaves out. */
  readonly drop: readonly string[];
  /** Options that a check leaves out together with their value. */
  readonly dropWithValue: readonly string[];
  /** Options that a check keeps, whose value is the next word. */
  readonly keepWithValue: readonly string[];
  /** Options without a value that a check keeps: a word behind one of them is a file. */
  readonly switches?: readonly string[];
  /** First words that select a mode and are not a file, such as `run`. */
  readonly modes?: readonly string[];
  /** Modes that do something other than run tests, such as `bench`. */
  readonly otherModes?: readonly string[];
  /** Options and modes that make the tool wait for changes and never exit. */
  readonly watch: readonly string[];
}

/** Splits a list of option names at white space. */
export function optionNames(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The arguments that a check passes on, in their order. Idempotent. */
export function keepArguments(rules: OptionRules, args: readonly string[]): string[] {
  const kept = group(rules, args).filter(([word]) => !isDropped(rules, word));
  return kept.flat();
}

/** The arguments that are neither options nor values of options: files, folders, patterns. */
export function operandsOf(rules: OptionRules, args: readonly string[]): string[] {
  return group(rules, args)
    .filter(([word]) => !word.startsWith('-'))
    .flat();
}

/**
 * The arguments without operands. A word behind an option without `=` may be its value and is kept, unless the
 * option, or what its `--no-` negates, is one of the switches.
 */
export function dropOperands({ switches = [] }: OptionRules, args: readonly string[]): string[] {
  return args.filter((argument, at) => {
    const before = args[at - 1] ?? '';
    const isSwitch = switches.includes(before.replace(/^--no-/, '--'));
    return argument.startsWith('-') || (before.startsWith('-') && !before.includes('=') && !isSwitch);
  });
}

/** Whether the arguments make the tool wait for changes and never exit. */
export function isWatching({ watch }: OptionRules, args: readonly string[]): boolean {
  return args.some((word, at) => watch.includes(word) && (word.startsWith('-') || at === 0));
}

/** Each option together with its value, every other word by itself. A leading mode is left out. */
function group(rules: OptionRules, args: readonly string[]): [word: string, ...value: string[]][] {
  const words = rules.modes?.includes(args[0] ?? '') === true ? args.slice(1) : args;
  const groups: [string, ...string[]][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1];
    if (next !== undefined && takesNext(rules, word, next)) {
      groups.push([word, next]);
      at++;
    } else groups.push([word]);
  }
  return groups;
}

function takesNext(rules: OptionRules, word: string, next: string): boolean {
  if (!word.startsWith('-') || word.includes('=')) return false;
  if (next === 'true' || next === 'false') return true;
  if (rules.keepWithValue.includes(word) || rules.dropWithValue.includes(word)) return true;
  // `--bail 1`: after an option with an optional value, a number is that value.
  return rules.drop.includes(word) && /^\d+$/.test(next);
}

function isDropped(rules: OptionRules, word: string): boolean {
  if (!word.startsWith('-')) return false;
  const name = word.replace(/=.*$/s, '');
  const names = [...rules.drop, ...rules.dropWithValue];
  return names.includes(name) || names.includes(word) || name.startsWith('--coverage.');
}
