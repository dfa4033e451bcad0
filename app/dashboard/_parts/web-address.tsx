import { Fragment } from 'react';

/** The parts of an address that no line should break within: each ends with a mark. */
const PART = /[^/.?&=@_-]*(?:\/+|[.?&=@_-]|$)/g;

/** An address that is broken behind its marks, and within a word only where a line has no room for that. */
export function WebAddress({ url }: { url: string }) {
  let at = 0;
  return (
    <span className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
      {url.match(PART)?.map((part) => {
        at += part.length;
        return (
          <Fragment key={at}>
            {part}
            <wbr />
          </Fragment>
        );
      })}
    </span>
  );
}
