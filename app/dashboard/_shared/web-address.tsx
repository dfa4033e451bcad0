import { Fragment } from 'react';

/** Behind the marks of an address, but not within `//`. */
const BREAK = /(?<=[.?&=@_-]|\/(?!\/))/;

/** An address that is broken behind its marks, and within a word only where a line has no room for that. */
export function WebAddress({ url }: { url: string }) {
  return (
    <span className="font-mono text-sm [overflow-wrap:anywhere]">
      {url.split(BREAK).map((part, index) => {
        const key = `${index} ${part}`;
        return (
          <Fragment key={key}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        );
      })}
    </span>
  );
}
