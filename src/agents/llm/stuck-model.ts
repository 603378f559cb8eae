/** The tool calls of one step. */
interface StepCalls {
  readonly toolCalls: readonly {
    readonly toolName: string;
    readonly input: unknown;
    readonly invalid?: boolean;
  }[];
}

const MAX_INVALID_STEPS = 4;
const MAX_SAME_STEPS = 6;

/** The reason to stop a model that makes only invalid calls, or the same call again and again; else undefined. */
export function stuckReason(steps: readonly StepCalls[]): string | undefined {
  const invalid = steps.slice(-MAX_INVALID_STEPS);
  if (
    invalid.length === MAX_INVALID_STEPS &&
    invalid.every(({ toolCalls }) => toolCalls.length > 0 && toolCalls.every((call) => call.invalid === true))
  ) {
    return `The model made ${MAX_INVALID_STEPS} invalid tool calls in a row, the last to "${invalid.at(-1)!.toolCalls[0]!.toolName}".`;
  }
  const same = steps.slice(-MAX_SAME_STEPS).map(signatureOf);
  if (same.length === MAX_SAME_STEPS && same[0] !== '[]' && new Set(same).size === 1) {
    return `The model made the same call ${MAX_SAME_STEPS} times in a row, to "${steps.at(-1)!.toolCalls[0]!.toolName}".`;
  }
  return undefined;
}

function signatureOf({ toolCalls }: StepCalls): string {
  return JSON.stringify(toolCalls.map(({ toolName, input }) => [toolName, input]));
}
