import type { WorkMessages } from '../_i18n/work-en.ts';
import { Notice } from './notice.tsx';

/** Instead of empty charts: that a merchant begins here, or that the days are the wrong ones. */
export function OverviewEmpty({
  t,
  base,
  isNew,
  mayCreate,
}: {
  t: WorkMessages['overview'];
  base: string;
  /** There is no invoice at all. */
  isNew: boolean;
  mayCreate: boolean;
}) {
  const ways = isNew
    ? [
        { text: t.quickStart, href: `${base}/developers#quick-start` },
        ...(mayCreate ? [{ text: t.makeOne, href: `${base}/invoices/new` }] : []),
      ]
    : [
        { text: t.longer, href: `${base}?range=90` },
        { text: t.allInvoices, href: `${base}/invoices` },
      ];
  return (
    <Notice
      title={isNew ? t.nothingYet : t.nothingThen}
      text={isNew ? t.nothingYetText : undefined}
    >
      <p className="mt-3 flex flex-wrap justify-center gap-2">
        {ways.map(({ text, href }) => (
          <a key={href} href={href} className="button button-plain">
            {text}
          </a>
        ))}
      </p>
    </Notice>
  );
}
