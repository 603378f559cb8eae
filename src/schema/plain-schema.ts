type Fields = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value. */
const REMARKS = new Set(['title', 'description']);

/**
 * True where a schema of plain keywords holds for a value, for certain. False where it does not, and for every
 * schema with another keyword: then ajv must be asked, which takes much longer to be there.
 */
export function holdsPlainly(schema: object, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, given]) => keywordHolds(keyword, given, value));
}

function keywordHolds(keyword: string, given: unknown, value: unknown): boolean {
  if (REMARKS.has(keyword)) return true;
  switch (keyword) {
    case 'type':
      return isOfType(given, value);
    case 'required':
      return !isFields(value) || (given as string[]).every((name) => value[name] !== undefined);
    case 'properties':
      return (
        !isFields(value) || Object.entries(given as Fields).every(([name, at]) => fieldHolds(value[name], at))
      );
    case 'items':
      return !Array.isArray(value) || (isFields(given) && value.every((item) => holdsPlainly(given, item)));
    case 'minItems':
      return !Array.isArray(value) || value.length >= (given as number);
    default:
      return false;
  }
}

function fieldHolds(value: unknown, schema: unknown): boolean {
  return value === undefined || (isFields(schema) && holdsPlainly(schema, value));
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isFields(value);
    default:
      return false;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
