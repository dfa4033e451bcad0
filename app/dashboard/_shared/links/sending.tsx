'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CopyButton } from '../copy-button.tsx';
import { shareLinks } from './share-links.ts';

/** Opens the device's own list of ways to send, where it has one. */
function ShareButton({ text, url }: { text: string; url: string }) {
  const t = useTranslations('dashboard.link');
  const [canShare, setCanShare] = useState(false);
  useEffect(() => setCanShare('share' in navigator), []);
  if (!canShare) return null;
  const share = async () => {
    try {
      await navigator.share({ text, url });
    } catch {
      // Somebody has closed the list.
    }
  };
  return (
    <button type="button" className="button button-plain" onClick={() => void share()}>
      {t('share')}
    </button>
  );
}

const WAYS = 'flex flex-wrap gap-x-5 text-sm';
const WAY = 'link inline-block py-1.5';

/** How a link gets to buyers: copied, sent, on paper, or as a picture of its code. */
export function Sending({
  qr,
  url,
  text,
}: {
  /** The address of the code's picture. */
  qr: string;
  url: string;
  /** What a message says before the address. */
  text: string;
}) {
  const t = useTranslations('dashboard.link');
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="grid grid-cols-2 gap-2 *:w-full has-[>:only-child]:grid-cols-1">
        <CopyButton text={url} label={t('copy')} done={t('copied')} />
        <ShareButton text={text} url={url} />
      </div>
      <p className="text-balance text-muted text-xs [overflow-wrap:anywhere]">{url}</p>
      <ul className={WAYS}>
        {shareLinks(text, url).map(({ via, href }) => (
          <li key={via}>
            <a href={href} target="_blank" rel="noopener noreferrer" className={WAY}>
              {t(`ways.${via}`)}
            </a>
          </li>
        ))}
      </ul>
      <ul className={WAYS}>
        <li>
          <button type="button" className={`${WAY} needs-script`} onClick={() => window.print()}>
            {t('print')}
          </button>
        </li>
        {(['png', 'svg'] as const).map((kind) => (
          <li key={kind}>
            <a href={`${qr}?save=${kind}`} download className={WAY}>
              {t('save', { kind: kind.toUpperCase() })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
