import { InlineText } from '../_markdown/inline.tsx';
import { CodeBlock } from '../_parts/code-block.tsx';
import {
  EVERYWHERE,
  type Example,
  type Operation,
  type Response,
  splitAnswers,
} from './operations.ts';
import type { Field } from './schema-fields.ts';
import { TryIt } from './try-it.tsx';

function Fields({ title, fields }: { title: string; fields: (Field & { place?: string })[] }) {
  if (fields.length === 0) return null;
  return (
    <div>
      <h3 className="pb-1 font-semibold">{title}</h3>
      <dl className="docs-fields">
        {fields.map(({ name, type, isRequired, description, rules, place }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span>{place ? `${type}, ${place}` : type}</span>
              {isRequired && <strong>required</strong>}
            </dt>
            {description && (
              <dd>
                <InlineText text={description} />
              </dd>
            )}
            {rules && <dd className="text-muted [overflow-wrap:anywhere]">{rules}</dd>}
          </div>
        ))}
      </dl>
    </div>
  );
}

function Examples({ examples }: { examples: Example[] }) {
  return examples.map(({ name, value }) => (
    <CodeBlock
      key={name}
      code={JSON.stringify(value, null, 2)}
      language="json"
      title={name.replaceAll('_', ' ')}
    />
  ));
}

function Answer({ response }: { response: Response }) {
  const { status, description, fields, examples } = response;
  const isGood = status < '300';
  return (
    <details>
      <summary>
        <strong className={`tabular-nums ${isGood ? 'text-positive' : 'text-negative'}`}>
          {status}
        </strong>
        <span>{description}</span>
      </summary>
      <div className="grid gap-4 p-4 pt-0">
        <Examples examples={examples} />
        {isGood && <Fields title="Fields of the answer" fields={fields} />}
      </div>
    </details>
  );
}

function Answers({ responses }: { responses: Response[] }) {
  return (
    <div className="docs-answers">
      {responses.map((response) => (
        <Answer key={response.status} response={response} />
      ))}
    </div>
  );
}

function Responses({ own, shared }: { own: Response[]; shared: Response[] }) {
  return (
    <div>
      <h3 className="pb-2 font-semibold">Answers</h3>
      <Answers responses={own} />
      {shared.length > 0 && (
        <p className="mt-2 text-muted text-sm">
          And{' '}
          <a className="link" href={`#${EVERYWHERE.id}`}>
            what every endpoint can answer
          </a>
          : {shared.map(({ status }) => status).join(', ')}.
        </p>
      )}
    </div>
  );
}

/** The answers of most operations, shown once. */
export function AnswersEverywhere({ responses }: { responses: Response[] }) {
  const { id, title } = EVERYWHERE;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="docs-operation">
      <div className="grid min-w-0 grid-cols-1 content-start gap-6">
        <div>
          <h2 id={`${id}-title`} className="font-semibold text-2xl tracking-tight">
            <a href={`#${id}`} className="docs-anchor">
              {title}
            </a>
          </h2>
          <p className="mt-3 text-[0.9375rem]">
            The same wherever it comes from, beside the answers that an endpoint has for itself.
          </p>
        </div>
        <Answers responses={responses} />
      </div>
    </section>
  );
}

/** The first successful answer, which most readers look for. */
function successOf({ responses }: Operation): Example[] {
  return responses.find(({ status }) => status < '300')?.examples.slice(0, 1) ?? [];
}

/** An operation: its input and answers on the left, examples and a trial on the right. */
export function OperationView({
  operation,
  everywhere,
  origin,
}: {
  operation: Operation;
  /** The answers that stand once, below all operations. */
  everywhere: Response[];
  origin: string;
}) {
  const { id, method, path, summary, description, parameters, body, bodyExample } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="docs-operation">
      <div className="grid min-w-0 grid-cols-1 content-start gap-6">
        <div>
          <h2 id={`${id}-title`} className="font-semibold text-2xl tracking-tight">
            <a href={`#${id}`} className="docs-anchor">
              {summary}
            </a>
          </h2>
          <p className="mt-2 font-mono text-sm [overflow-wrap:anywhere]">
            <span className="docs-method">{method}</span> {path}
          </p>
          {description && (
            <p className="mt-3 text-[0.9375rem]">
              <InlineText text={description} />
            </p>
          )}
        </div>
        <Fields title={method === 'GET' ? 'Query and headers' : 'Headers'} fields={parameters} />
        <Fields title="Body" fields={body} />
        <Responses {...splitAnswers(operation, everywhere)} />
      </div>
      <div className="docs-operation-side">
        {bodyExample && (
          <CodeBlock code={JSON.stringify(bodyExample, null, 2)} language="json" title="Body" />
        )}
        {successOf(operation).map(({ value }) => (
          <CodeBlock
            key={id}
            code={JSON.stringify(value, null, 2)}
            language="json"
            title={operation.isCallback ? 'What you answer' : 'Answer'}
          />
        ))}
        {!operation.isCallback && (
          <TryIt id={id} method={method} path={path} example={bodyExample} origin={origin} />
        )}
      </div>
    </section>
  );
}
