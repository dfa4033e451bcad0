import { Fragment } from 'react';

/** A break may follow an address's marks, but not within `//`. */
const BREAK = /(?<=[.?&=@_-]|\/(?!\/))/;

/** An address that breaks after its marks, and within a word only if the line is too short. */
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
