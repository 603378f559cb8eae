import type { SweInstance } from './instance.ts';

/**
 * The line of a predictions file for an instance, in the form that the evaluation program of its data set reads. `model`
 * names the actor; `patch` is a unified diff, '' for none.
 */
export function renderPrediction(
  { form, id, repo, number }: SweInstance,
  model: string,
  patch: string,
): string {
  const [org, name] = repo.split('/');
  return JSON.stringify(
    form === 'swe-bench'
      ? { instance_id: id, model_name_or_path: model, model_patch: patch }
      : { org, repo: name, number, fix_patch: patch },
  );
}
