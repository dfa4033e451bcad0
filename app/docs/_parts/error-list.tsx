import { type ApiError, ENVELOPE_ERRORS } from '../_content/api-errors.ts';
import { VALIDATION_ERRORS } from '../_content/validation-errors.ts';
import { InlineText } from '../_markdown/inline.tsx';

/** The errors of a status, in the order in which they are explained. */
export function errorsOf(status: number): ApiError[] {
  return [...ENVELOPE_ERRORS, ...VALIDATION_ERRORS].filter((error) => error.status === status);
}

/** Each error of a status: what is sent, why, and what helps. */
export function ErrorList({ status }: { status: number }) {
  return (
    <ul className="docs-errors">
      {errorsOf(status).map(({ id, type, message, why, cure }) => (
        <li key={id} id={id} className="docs-error">
          <a href={`#${id}`} className="docs-error-message docs-anchor">
            {type && <span className="docs-error-type">{type}</span>}
            {message}
          </a>
          <p className="docs-error-text">
            <InlineText text={why} />
          </p>
          <p className="docs-error-text">
            <strong>Cure:</strong> <InlineText text={cure} />
          </p>
        </li>
      ))}
    </ul>
  );
}
