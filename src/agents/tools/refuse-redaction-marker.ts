import { bringsMarker, REDACTED } from '../../platform/redaction/redact.ts';
import type { Place } from './paths.ts';

/** Throws if a model writes the marker that it was shown in place of a secret, which would overwrite the secret. */
export function refuseRedactionMarker({ shown }: Place, before: string, after: string): void {
  if (!bringsMarker(before, after)) return;
  throw new Error(
    `Nothing was changed in ${shown}. ${REDACTED} stands for a secret that is not shown. Change only parts of the file that do not contain it.`,
  );
}
