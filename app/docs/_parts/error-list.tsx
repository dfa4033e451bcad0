import { errorsOf } from '../_content/errors.ts';
import { InlineText } from '../_markdown/inline.tsx';

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
