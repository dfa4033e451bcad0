import { PageLink } from '#app/_ui/page-link.tsx';
import { CopySign } from './copy-button.tsx';
import { WebAddress } from './web-address.tsx';

/** This many characters at the end tell shortened ids apart. */
const END = 6;

/**
 * An id on one line, its middle cut if needed, because the ids of a list begin alike. Screen
 * readers read all of it.
 */
export function IdOnALine({ id, className = '' }: { id: string; className?: string }) {
  const signs = [...id];
  return (
    <span className={`flex min-w-0 whitespace-pre font-mono text-sm ${className}`} title={id}>
      <span className="sr-only select-text">{id}</span>
      <span aria-hidden="true" className="truncate">
        {signs.slice(0, -END).join('')}
      </span>
      <span aria-hidden="true" className="shrink-0">
        {signs.slice(-END).join('')}
      </span>
    </span>
  );
}

/** An id on one line, whole when copied or read aloud; `href` links to what it names. */
export function CopyableId({
  id,
  href,
  copy,
  copied,
}: {
  id: string;
  href?: string;
  copy: string;
  copied: string;
}) {
  const shown = <IdOnALine id={id} />;
  return (
    <span className="flex items-center gap-1">
      {href ? (
        <PageLink href={href} className="link min-w-0">
          {shown}
        </PageLink>
      ) : (
        shown
      )}
      <CopySign text={id} label={copy} done={copied} />
    </span>
  );
}

/** An address, on as many lines as it needs. */
export function CopyableAddress({
  url,
  copy,
  copied,
}: {
  url: string;
  copy: string;
  copied: string;
}) {
  return (
    <span className="flex items-start gap-1">
      <span className="min-w-0 py-1">
        <WebAddress url={url} />
      </span>
      <CopySign text={url} label={copy} done={copied} />
    </span>
  );
}
