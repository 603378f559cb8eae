import { trustProject } from '../../compose/project.ts';
import { renderGrants } from '../../config/trust.ts';

/** `ralph trust`: stores that this repository's configuration is trusted, and prints what it wants. */
export async function trustCommand(): Promise<void> {
  const wish = await trustProject(process.cwd(), process.env);
  process.stdout.write(
    wish === undefined
      ? 'The configuration of this repository wants nothing that needs trust.\n'
      : `Trusted: ${wish.label} of this repository. It wants: ${renderGrants(wish)}.\n`,
  );
}
