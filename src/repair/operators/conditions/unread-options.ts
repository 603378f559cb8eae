import type { Site } from '../../syntax/walk.ts';
import type { SourceView } from '../operator.ts';
import type { Subject } from './subjects.ts';
import type { Condition } from './value-conditions.ts';

const MAX_VALUES = 3;

/** Names of parameters that hold options. */
export const OPTIONS = /^_?(opt|options?|opts|config|settings)$/;

/** Conditions on options that the failing tests pass and the function does not read: `options.strict`; `!options.filter || options.filter(key)` if the test passes a function. */
export function* unreadOptions(
  site: Site,
  subjects: readonly Subject[],
  source: SourceView,
): Generator<Condition> {
  for (const name of optionNames(site, source)) {
    const read = new Set(source.propertiesOf(name));
    const dot = source.text.includes(`${name}?`) ? '?.' : '.';
    for (const option of source.testedOptions.filter((tested) => !read.has(tested.name))) {
      const value = `${name}${dot}${option.name}`;
      if (!option.isFunction) {
        yield [value, 1.6];
        yield [`!${value}`, 1.6];
        continue;
      }
      for (const { text, factor } of subjects
        .filter((subject) => subject.text !== name)
        .slice(0, MAX_VALUES)) {
        yield [`(!${value} || ${value}(${text}))`, 2 * factor];
        yield [`(${value} && !${value}(${text}))`, 2 * factor];
      }
    }
  }
}

/** Names of options, without those of which another one is a copy: `opt` of `const opt = options || {}`. */
function optionNames(site: Site, source: SourceView): string[] {
  const known = source.visibleAt(site).filter((binding) => OPTIONS.test(binding.name));
  const copied = known.flatMap(({ init }) =>
    init === undefined
      ? []
      : source.within(init).flatMap(({ node }) => (node.type === 'Identifier' ? [node.name] : [])),
  );
  return known.map(({ name }) => name).filter((name) => !copied.includes(name));
}
