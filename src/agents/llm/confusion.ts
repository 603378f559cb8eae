/** What of a step tells whether the model still knows what it does. */
interface StepCalls {
  readonly toolCalls: readonly {
    readonly toolName: string;
    readonly input: unknown;
    readonly invalid?: boolean;
  }[];
}

const MAX_INVALID_STEPS = 4;
const MAX_SAME_STEPS = 6;

/** Why a model is not worth asking on, or undefined: only calls that no tool takes, or the same ones again and again. */
export function confusionIn(steps: readonly StepCalls[]): string | undefined {
  const invalid = steps.slice(-MAX_INVALID_STEPS);
  if (
    invalid.length === MAX_INVALID_STEPS &&
    invalid.every(({ toolCalls }) => toolCalls.length > 0 && toolCalls.every((call) => call.invalid === true))
  ) {
    return `The model made ${MAX_INVALID_STEPS} calls in a row that no tool can take, the last to "${invalid.at(-1)!.toolCalls[0]!.toolName}".`;
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
