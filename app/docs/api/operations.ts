import { openApiDocument } from '#server/openapi/openapi.ts';
import { type Field, fieldsOf, type Schema, type Schemas } from './schema-fields.ts';

export type Example = { name: string; value: unknown };

export type Response = {
  status: string;
  description: string;
  fields: Field[];
  examples: Example[];
};

/** An operation of the API, or the callback, ready to be shown. */
export type Operation = {
  id: string;
  method: 'GET' | 'POST';
  /** The path after the base address; for the callback, the merchant's own. */
  path: string;
  summary: string;
  description: string;
  tag: string;
  isSandboxOnly: boolean;
  isCallback: boolean;
  parameters: (Field & { place: string })[];
  body: Field[];
  bodyExample: object | null;
  responses: Response[];
};

/** The parts of an OpenAPI document that are shown. */
type Media = { schema?: Schema; example?: object; examples?: Record<string, { value: unknown }> };
type Content = Record<string, Media>;
type OperationObject = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: {
    in: string;
    name: string;
    description?: string;
    required?: boolean;
    schema: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type PathItem = { servers?: unknown; get?: OperationObject; post?: OperationObject };
type Document = {
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: { schemas: Schemas };
};

const JSON_TYPE = 'application/json';

function examplesOf({ example, examples }: Media): Example[] {
  if (example) return [{ name: 'example', value: example }];
  return Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, value }));
}

function responsesOf(operation: OperationObject, schemas: Schemas): Response[] {
  return Object.entries(operation.responses).map(([status, { description, content }]) => {
    const media = content?.[JSON_TYPE] ?? {};
    const fields = media.schema ? fieldsOf(media.schema, schemas) : [];
    return { status, description, fields, examples: examplesOf(media) };
  });
}

function toOperation(
  {
    path,
    method,
    isSandboxOnly,
    isCallback,
  }: Pick<Operation, 'path' | 'method' | 'isSandboxOnly' | 'isCallback'>,
  operation: OperationObject,
  schemas: Schemas,
): Operation {
  const body = operation.requestBody?.content[JSON_TYPE];
  const parameters = (operation.parameters ?? []).map(({ in: place, required, ...rest }) => {
    const wrapped = {
      properties: { [rest.name]: { ...rest.schema, description: rest.description } },
    };
    const [field] = fieldsOf({ ...wrapped, required: required ? [rest.name] : [] }, schemas);
    if (!field) throw new Error(`The parameter ${rest.name} has no schema.`);
    return { ...field, place };
  });
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    tag: operation.tags[0] ?? '',
    isSandboxOnly,
    isCallback,
    parameters,
    body: body?.schema ? fieldsOf(body.schema, schemas) : [],
    bodyExample: body?.example ?? null,
    responses: responsesOf(operation, schemas),
  };
}

function operationsOf(
  items: Record<string, PathItem>,
  schemas: Schemas,
  isCallback: boolean,
): Operation[] {
  return Object.entries(items).flatMap(([name, item]) =>
    (['get', 'post'] as const).flatMap((key) => {
      const operation = item[key];
      if (!operation) return [];
      const method = key === 'get' ? 'GET' : 'POST';
      const target = name === 'invoiceCallback' ? 'callback_url' : 'your address for events';
      const path = isCallback ? target : name;
      const kind = { path, method, isSandboxOnly: item.servers !== undefined, isCallback } as const;
      return [toOperation(kind, operation, schemas)];
    }),
  );
}

const kept = new Map<string, Operation[]>();

/** Every operation that the gateway itself serves, and last the callback. */
export function operations(publicUrl: string): Operation[] {
  const known = kept.get(publicUrl);
  if (known) return known;
  // JSON gives the document the form that its readers get.
  const document = JSON.parse(JSON.stringify(openApiDocument(publicUrl))) as Document;
  const { schemas } = document.components;
  const made = [
    ...operationsOf(document.paths, schemas, false),
    ...operationsOf(document.webhooks, schemas, true),
  ];
  kept.set(publicUrl, made);
  return made;
}

/** The place of the answers that most operations give. */
export const EVERYWHERE = { id: 'every-endpoint', title: 'What every endpoint can answer' };

const textOf = ({ status, description, examples }: Response): string =>
  JSON.stringify([status, description, examples]);

/**
 * The identical answers of most operations, by status: they say nothing about a single one, and
 * would fill most of the page if repeated.
 */
export function answersEverywhere(all: readonly Operation[]): Response[] {
  const known = new Map<string, { response: Response; count: number }>();
  for (const response of all.flatMap(({ responses }) => responses)) {
    const text = textOf(response);
    known.set(text, { response, count: (known.get(text)?.count ?? 0) + 1 });
  }
  return [...known.values()]
    .filter(({ count }) => count > all.length / 2)
    .map(({ response }) => response)
    .sort((a, b) => (a.status < b.status ? -1 : 1));
}

/** An operation's answers in two parts: its own, and the common ones. */
export function splitAnswers(
  { responses }: Operation,
  everywhere: readonly Response[],
): { own: Response[]; shared: Response[] } {
  const texts = new Set(everywhere.map(textOf));
  const isShared = (response: Response) => texts.has(textOf(response));
  return {
    own: responses.filter((response) => !isShared(response)),
    shared: responses.filter(isShared),
  };
}
