import type { Kind } from './kind.ts';
import { CONTENTS } from './kinds/contents.ts';
import { DAMAGED } from './kinds/damaged.ts';
import { FILE_KINDS } from './kinds/file-kinds.ts';
import { INDEX_STATES } from './kinds/index-states.ts';
import { NAMES } from './kinds/names.ts';
import { NESTED } from './kinds/nested.ts';
import { NO_REPOSITORY } from './kinds/no-repository.ts';
import { PACKAGES } from './kinds/packages.ts';
import { SHAPES } from './kinds/shapes.ts';
import { SURROUNDINGS } from './kinds/surroundings.ts';
import { UNFINISHED } from './kinds/unfinished.ts';

/** Kinds of repositories by topic. */
export const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  'no usable repository': NO_REPOSITORY,
  'operations of git in progress': UNFINISHED,
  'damaged, locked or out of space': DAMAGED,
  'unusual layouts and locations': SHAPES,
  'nested repositories': NESTED,
  'index states, ignore rules and hooks': INDEX_STATES,
  'line endings, encodings and filters': CONTENTS,
  'file names': NAMES,
  'links, special files and permissions': FILE_KINDS,
  'packages and package managers': PACKAGES,
  'environment variables, many and large files': SURROUNDINGS,
};
