import { z } from 'zod';

export type JsonSchema = {
  type?: string;
  format?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minimum?: number;
  minItems?: number;
};

/** Values to try, by field name; the first is used where one is enough. */
export type KnownValues = Record<string, unknown[]>;

/** A procedure's input schema, or null when it takes nothing. */
export function inputSchemaOf({
  _def: { inputs = [] },
}: {
  _def: { inputs?: unknown[] };
}): JsonSchema | null {
  const [schema] = inputs;
  if (schema === undefined) return null;
  return z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A value that a schema accepts, without optional parts. */
export function sample(schema: JsonSchema, field: string, known: KnownValues): unknown {
  const [value] = known[field] ?? [];
  if (value !== undefined) return value;
  // An unknown field would not be tried against another merchant.
  if (/^[a-z]\w*Id$/.test(field)) throw new Error(`give the walk an id for "${field}"`);
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, field, known);
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(
        required.map((name) => [name, sample(properties[name] ?? {}, name, known)]),
      );
    }
    case 'array': {
      const one = () => sample(schema.items ?? {}, '', known);
      return Array.from({ length: schema.minItems ?? 0 }, one);
    }
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return 'sample';
  }
}

/** The possible values of a field: the known ones, each choice, or any number. */
function choices(schema: JsonSchema, field: string, known: KnownValues): unknown[] {
  const { anyOf, enum: all, type, pattern } = schema;
  if (anyOf) return anyOf.flatMap((each) => choices(each, field, known));
  if (type === 'null') return [];
  if (all) return all;
  if (type === 'array') return choices(schema.items ?? {}, field, known).map((each) => [each]);
  const given = known[field]?.filter(
    (value) => pattern === undefined || new RegExp(pattern).test(String(value)),
  );
  if (given) return given;
  if (type === 'string') throw new Error(`give the walk a text for "${field}"`);
  return type === 'boolean' ? [true, false] : [sample(schema, field, known)];
}

/**
 * Inputs that a schema accepts, by the optional field that each fills in; the one under the empty
 * name has none.
 */
export function inputsOf(schema: JsonSchema, known: KnownValues): Map<string, unknown[]> {
  const least = sample(schema, '', known) as object;
  const inputs = new Map<string, unknown[]>([['', [least]]]);
  const { properties = {}, required = [] } = schema;
  for (const [name, each] of Object.entries(properties)) {
    const { type, properties: parts } = each;
    if (type === 'object' && parts) {
      for (const [part, values] of inputsOf(each, known)) {
        const filled = values.map((value) => ({ ...least, [name]: value }));
        if (part !== '') inputs.set(`${name}.${part}`, filled);
      }
    } else if (!required.includes(name)) {
      const values = choices(each, name, known);
      inputs.set(
        name,
        values.map((value) => ({ ...least, [name]: value })),
      );
    }
  }
  return inputs;
}

/** Whether the schema allows any text in a field, so that `odd` can be put into it. */
function isFreeText({ type, enum: all, format, pattern }: JsonSchema): boolean {
  return type === 'string' && !all && !format && !pattern;
}

/**
 * Valid inputs except for one free text or whole number, which is `odd`; each with that field's
 * name.
 */
export function oddInputs(
  schema: JsonSchema,
  field: string,
  odd: string | number,
  known: KnownValues,
): [string, unknown][] {
  const { type, anyOf, properties = {}, items } = schema;
  if (anyOf) return anyOf.flatMap((each) => oddInputs(each, field, odd, known));
  const isOdd = typeof odd === 'number' ? type === 'integer' : isFreeText(schema);
  if (isOdd) return [[field, odd]];
  if (type === 'array') {
    return oddInputs(items ?? {}, field, odd, known).map(([name, value]) => [name, [value]]);
  }
  if (type !== 'object') return [];
  const right = sample(schema, '', known) as object;
  return Object.entries(properties).flatMap(([name, each]) =>
    oddInputs(each, name, odd, known).map(([path, value]): [string, unknown] => [
      path,
      { ...right, [name]: value },
    ]),
  );
}
