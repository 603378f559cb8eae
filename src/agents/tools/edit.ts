import { writeFileSync } from 'node:fs';
import { applyEdits, type Edit } from './apply-edits.ts';
import { toActionChanges, type LineChange } from './line-changes.ts';
import { placeOf } from './paths.ts';
import { refuseMarker } from './refuse-marker.ts';
import { readTextFile } from './text-file.ts';
import type { ToolRun } from './tool.ts';

export interface EditInput {
  readonly path: string;
  readonly edits: readonly Edit[];
}

const MAX_CHANGES_NAMED = 12;

/** Replaces parts of a file; nothing is written unless every part was found. */
export const edit: ToolRun<EditInput> = ({ path, edits }, setting) => {
  const place = placeOf(path, 'write', setting);
  const { text, faithful } = readTextFile(place);
  if (!faithful) throw new Error(`${place.shown} is not UTF-8 text; change it with bash.`);
  const outcome = applyEdits(text, edits);
  if (!outcome.ok) throw new Error(`Nothing was changed in ${place.shown}. ${outcome.problem}`);
  refuseMarker(place, text, outcome.text);
  writeFileSync(place.absolute, outcome.text);
  const past =
    outcome.lookedPast.length === 0 ? '' : ` Found by looking past ${outcome.lookedPast.join(' and ')}.`;
  return {
    text: `Changed ${place.shown}: ${describe(outcome.changes)}.${past}`,
    action: {
      type: 'code_modification',
      description: `Changed ${place.path}: ${describe(outcome.changes)}.`,
      file_path: place.path,
      changes: toActionChanges(outcome.changes),
    },
  };
};

function describe(changes: readonly LineChange[]): string {
  const more = changes.length - MAX_CHANGES_NAMED;
  const named = changes.slice(0, MAX_CHANGES_NAMED).map(describeOne);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** In lines of the new text. */
function describeOne({ newLine, removed, added }: LineChange): string {
  if (added.length === 0) return `${removed.length} removed before line ${newLine}`;
  const last = newLine + added.length - 1;
  const lines = last === newLine ? `line ${newLine}` : `lines ${newLine}-${last}`;
  return removed.length === 0 ? `${lines} added` : `${lines} for ${removed.length}`;
}
