/** How the parts of a change are tried. */
export interface NeedTrial<T> {
  /** Parts that stay in any case. */
  readonly isKept: (part: T) => boolean;
  /** Parts that are likely to be needed, such as sources: each is taken out alone, the others together first. */
  readonly isLikely: (part: T) => boolean;
  /** Whether the change passes with these parts alone; `over`: no more can be tried. */
  readonly passes: (parts: readonly T[]) => Promise<boolean | 'over'>;
}

/** The parts that stay, and those among them that nobody could try. */
export interface NeededParts<T> {
  readonly needed: readonly T[];
  readonly untried: readonly T[];
}

/**
 * Finds parts of a change that passes, without each of which it would not pass. Nothing of it does not pass either: a part
 * that is alone is needed without a trial.
 */
export async function neededParts<T>(
  parts: readonly T[],
  { isKept, isLikely, passes }: NeedTrial<T>,
): Promise<NeededParts<T>> {
  let left = [...parts];
  const tried = new Set<T>();
  let isOver = false;

  /** True if something was taken out. */
  const takeOut = async (group: readonly T[]): Promise<boolean> => {
    if (group.length === 0 || isOver) return false;
    const rest = left.filter((part) => !group.includes(part));
    const found = rest.length === 0 ? false : await passes(rest);
    if (found === 'over') {
      isOver = true;
      return false;
    }
    if (found) {
      left = rest;
      return true;
    }
    if (group.length === 1) {
      tried.add(group[0]!);
      return false;
    }
    const half = Math.ceil(group.length / 2);
    const first = await takeOut(group.slice(0, half));
    return (await takeOut(group.slice(half))) || first;
  };

  for (let isChanged = true; isChanged && !isOver;) {
    isChanged = false;
    tried.clear();
    const open = left.filter((part) => !isKept(part));
    const groups = [open.filter((part) => !isLikely(part)), ...open.filter(isLikely).map((part) => [part])];
    for (const group of groups) {
      // What was needed by a part that is now out has to be tried again.
      if (await takeOut(group)) isChanged = tried.size > 0;
    }
  }
  const untried = isOver ? left.filter((part) => !isKept(part) && !tried.has(part)) : [];
  return { needed: left, untried };
}
