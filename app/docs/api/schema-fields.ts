/** A field of a body or a parameter, in words. */
export type Field = {
  /** The name includes the path: `positions[].title`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** Lengths, ranges, values; empty when there are none. */
  rules: string;
};

/** The part of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};

export type Schemas = Record<string, Schema>;

const EVERY_INTEGER = Number.MAX_SAFE_INTEGER;

/** A schema with its reference resolved; values beside the reference win. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  const { $ref: _, ...beside } = schema;
  return { ...schemas[name], ...beside };
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

/** The permitted values, as one line. */
function rulesOf(schema: Schema): string {
  const { minimum, exclusiveMinimum, maximum } = schema;
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  return [
    schema.enum?.join(', ') ?? '',
    schema.const === undefined ? '' : `always ${JSON.stringify(schema.const)}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' elements'),
    range(
      least === -EVERY_INTEGER ? undefined : least,
      maximum === EVERY_INTEGER ? undefined : maximum,
      '',
    ),
  ]
    .filter(Boolean)
    .join('; ');
}

function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.anyOf) {
    return schema.anyOf.map((each) => typeOf(resolved(each, schemas), schemas)).join(' or ');
  }
  const type = [schema.type ?? 'any'].flat().join(' or ');
  if (schema.items) return `array of ${typeOf(resolved(schema.items, schemas), schemas)}s`;
  return schema.format === 'uri' ? 'URL' : type;
}

/** A schema's field and the nested ones. */
function fieldsWithin(field: Field, schema: Schema, schemas: Schemas): Field[] {
  const inside = schema.items ? resolved(schema.items, schemas) : schema;
  if (!inside.properties) return [field];
  const prefix = `${field.name}${schema.items ? '[]' : ''}.`;
  return [field, ...fieldsOf(inside, schemas, prefix)];
}

/** All fields of an object; nested ones follow their parent. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, given]) => {
    const own = resolved(given, schemas);
    // Null beside a single other kind only says that the field may be left empty.
    const [only] = own.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    const field: Field = {
      name: prefix + name,
      type: typeOf(own, schemas),
      isRequired: required.includes(name),
      description: own.description ?? '',
      rules: rulesOf(only ?? own),
    };
    return fieldsWithin(field, own, schemas);
  });
}
