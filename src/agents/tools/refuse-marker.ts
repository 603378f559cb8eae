import { bringsMarker, REDACTED } from '../../platform/redaction/redact.ts';
import type { Place } from './paths.ts';

/** A model is not shown secrets. What it writes in their place would destroy them: throws where it does. */
export function refuseMarker({ shown }: Place, before: string, after: string): void {
  if (!bringsMarker(before, after)) return;
  throw new Error(
    `Nothing was changed in ${shown}. ${REDACTED} stands for a secret that is not shown; leave it as it is: change only parts of the file that do not have it.`,
  );
}
