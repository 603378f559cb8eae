import { modelShape } from '../../schema/model-shape.ts';
import { selfReflectionSchema } from '../../schema/validate.ts';

/** The form of a reflection as a model's API is told it. */
export function reflectionShape(): object {
  return modelShape(selfReflectionSchema());
}
