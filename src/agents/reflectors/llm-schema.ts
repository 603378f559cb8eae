import { modelShape } from '../../schema/model-shape.ts';
import { selfReflectionSchema } from '../../schema/validate.ts';

/** JSON schema of a reflection for a model's structured output. */
export function reflectionShape(): object {
  return modelShape(selfReflectionSchema());
}
