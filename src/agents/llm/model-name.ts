import { usageError } from '../../errors.ts';

/** The two parts of `provider/model`; the second may contain slashes. */
export interface ModelName {
  /** For example `anthropic`, `openai-compatible`. */
  readonly provider: string;
  readonly model: string;
}

/** Throws RalphError (exit 2) if a part is missing. */
export function parseModelName(name: string): ModelName {
  const at = name.indexOf('/');
  if (at < 1 || at === name.length - 1) {
    throw usageError(
      `The model "${name}" has no provider.`,
      'A model is named provider/model, such as anthropic/claude-sonnet-4-5 or openai-compatible/qwen3.',
    );
  }
  return { provider: name.slice(0, at), model: name.slice(at + 1) };
}
