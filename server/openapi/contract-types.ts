import type { openApiDocument } from './openapi.ts';

type Document = ReturnType<typeof openApiDocument>;

/** The part of JSON Schema that the document's schemas use. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: { [name: string]: Schema };
  required?: string[];
  minimum?: number;
  maximum?: number;
  description?: string;
};

const HEAD = `// Made from the gateway's OpenAPI document; a test of the gateway holds the two against each other.
`;
const LINE_WIDTH = 100;
/** An integer between two bounds this close together is a list of codes. */
const MOST_CODES = 10;

/** Schemas that a caller never sees: the client removes the envelope. */
const ENVELOPE = /^(?!ValidationError)\w+Response$/;

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function integerType({ minimum, maximum }: Schema): string {
  if (minimum === undefined || maximum === undefined) return 'number';
  const count = maximum - minimum + 1;
  if (count > MOST_CODES) return 'number';
  return Array.from({ length: count }, (_, index) => minimum + index).join(' | ');
}

function namedType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return integerType(schema);
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return schema.properties ? objectType(schema, indent) : '{ [key: string]: unknown }';
    default:
      // type is string, boolean or null here.
      return type;
  }
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => namedType(type, schema, indent)).join(' | ');
}

function property(name: string, schema: Schema, required: boolean, indent: string): string {
  const comment = schema.description ? `${indent}/** ${schema.description} */\n` : '';
  const start = `${indent}${name}${required ? '' : '?'}:`;
  const type = typeOf(schema, indent);
  const line = `${start} ${type};`;
  if (line.length <= LINE_WIDTH || type.includes('\n')) return `${comment}${line}\n`;
  const members = type.split(' | ').map((member) => `\n${indent}  | ${member}`);
  return `${comment}${start}${members.join('')};\n`;
}

function objectType(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {}).map(([name, each]) =>
    property(name, each, schema.required?.includes(name) ?? false, inner),
  );
  return `{\n${lines.join('')}${indent}}`;
}

/**
 * The TypeScript types of the API's inputs and outputs, from its OpenAPI document: the text of
 * `client/src/contract.ts`. Envelopes are left out, since the client opens them.
 */
export function contractTypes(document: Document): string {
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  const types = schemas
    .filter(([name]) => !ENVELOPE.test(name))
    .map(([name, schema]) => {
      const comment = schema.description ? `/** ${schema.description} */\n` : '';
      return `${comment}export type ${name} = ${typeOf(schema, '')};\n`;
    });
  return [HEAD, ...types].join('\n');
}
