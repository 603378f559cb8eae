import type { SampleProject, ProjectName } from './projects.ts';
import type { ActorFiles } from './actor-files.ts';

/** An attack on the verdict, or honest work, as edits of an actor. */
export interface Case {
  /** Number of the attack, 1–45; 0 for honest work. */
  readonly number: number;
  /** Unique. */
  readonly name: string;
  /** Sample projects in which it is tried. */
  readonly on: readonly ProjectName[];
  /** Makes the edits. The working directory is the workspace. */
  act(files: ActorFiles, project: SampleProject): void;
  /** Settings of the run in addition to the command, for example a held-out check. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Files of the repository in addition to those of the sample project. */
  readonly files?: Readonly<Record<string, string>>;
}
