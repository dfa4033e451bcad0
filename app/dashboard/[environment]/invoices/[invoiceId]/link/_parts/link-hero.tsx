'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CheckIcon, ClockIcon, CrossIcon } from '#app/_ui/icons.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import type { InvoiceStatus } from '#server/invoices/types.ts';
import { Sending } from '../../../../../_shared/links/sending.tsx';
import { FullScreenCode } from './full-screen-code.tsx';
import { isSoundOn, keepSound, playPaid } from './paid-sound.ts';
import { useLinkStatus } from './use-link-status.ts';

type Props = {
  invoiceId: string;
  status: InvoiceStatus;
  url: string;
  shop: string;
  title: string;
  /** Formatted. */
  amount: string;
  /** For another link; null for a reader who may make none. */
  anotherHref: string | null;
  invoiceHref: string;
};

function useSound(isPaid: boolean) {
  const [isOn, setOn] = useState(false);
  useEffect(() => setOn(isSoundOn()), []);
  const wasPaid = useRef(isPaid);
  useEffect(() => {
    if (isPaid && !wasPaid.current && isSoundOn()) playPaid();
    wasPaid.current = isPaid;
  }, [isPaid]);
  const change = (isWanted: boolean) => {
    setOn(isWanted);
    keepSound(isWanted);
    // It is heard once now, and so the browser allows it later.
    if (isWanted) playPaid();
  };
  return { isOn, change };
}

const SIGNS = {
  PENDING: { look: 'bg-sunk text-muted', Icon: ClockIcon },
  PAID: { look: 'bg-positive-soft text-positive', Icon: CheckIcon },
  EXPIRED: { look: 'bg-caution-soft text-caution', Icon: ClockIcon },
  CANCELED: { look: 'bg-sunk text-muted', Icon: CrossIcon },
};

/** What became of the link: large, once nothing is left to do with it. */
function Outcome({ status, amount, title }: Pick<Props, 'status' | 'amount' | 'title'>) {
  const t = useTranslations('dashboard.link');
  const { look, Icon } = SIGNS[status];
  return (
    <div className={`grid justify-items-center gap-1 rounded-card p-8 text-center ${look}`}>
      <Icon className="size-16" />
      <p className="font-semibold text-2xl">{t(`statuses.${status}`)}</p>
      <p className="font-semibold text-3xl text-ink tabular-nums tracking-tight">{amount}</p>
      <p className="text-muted [overflow-wrap:anywhere]">
        <bdi>{title}</bdi>
      </p>
    </div>
  );
}

function Waiting({
  sound,
  onShow,
  children,
  ...props
}: Props & { sound: ReturnType<typeof useSound>; onShow: () => void; children: ReactNode }) {
  const { invoiceId, amount, title } = props;
  const t = useTranslations('dashboard.link');
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-5 lg:gap-10">
      <div className="grid content-start justify-items-center gap-4 text-center">
        <div className="min-w-0">
          <p className="font-semibold text-4xl tabular-nums tracking-tight [overflow-wrap:anywhere]">
            {amount}
          </p>
          <p className="mt-1 text-muted [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </p>
        </div>
        <img
          src={`/pay/${invoiceId}/qr`}
          alt={t('qr')}
          width={256}
          height={256}
          className="size-64 max-w-full rounded-card border border-line"
        />
        <p className="flex items-center gap-2 text-muted">
          <span aria-hidden="true" className="size-2.5 animate-pulse rounded-full bg-caution" />
          {t('statuses.PENDING')}
        </p>
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        <button
          type="button"
          onClick={onShow}
          className="button button-primary button-large needs-script w-full"
        >
          {t('fullScreen')}
        </button>
        <Sending
          qr={`/pay/${invoiceId}/qr`}
          url={props.url}
          text={t('shareText', { shop: props.shop, title, amount })}
        />
        <label className="flex items-center gap-3 border-line border-t pt-4">
          <input
            type="checkbox"
            checked={sound.isOn}
            onChange={(event) => sound.change(event.target.checked)}
            className="size-5 accent-(--accent)"
          />
          {t('sound')}
        </label>
        {children}
      </div>
    </div>
  );
}

/** A link as it is shown to a buyer, sent or printed; it tells by itself that it was paid. */
export function LinkHero(props: Props) {
  const { invoiceId, anotherHref, invoiceHref } = props;
  const t = useTranslations('dashboard.link');
  const status = useLinkStatus(invoiceId, props.status);
  const sound = useSound(status === 'PAID');
  const [isFullScreen, setFullScreen] = useState(false);
  const another = useRef<HTMLAnchorElement>(null);
  const first = useRef(props.status);
  useEffect(() => {
    if (status !== first.current) another.current?.focus();
  }, [status]);
  const next = (
    <div className="grid gap-2">
      {anotherHref && (
        <PageLink
          ref={another}
          href={anotherHref}
          className={`button w-full ${status === 'PENDING' ? 'button-plain' : 'button-primary button-large'}`}
        >
          {t('another')}
        </PageLink>
      )}
      <a href={invoiceHref} className="link-quiet justify-self-center py-1 text-sm">
        {t('invoice')}
      </a>
    </div>
  );
  return (
    <div
      className={`card mx-auto grid max-w-md grid-cols-1 gap-5 p-5 sm:p-8 print:hidden ${
        status === 'PENDING' ? 'lg:max-w-3xl' : ''
      }`}
    >
      <p role="status" className="sr-only">
        {status === first.current ? '' : t(`statuses.${status}`)}
      </p>
      {status === 'PENDING' ? (
        <Waiting {...props} sound={sound} onShow={() => setFullScreen(true)}>
          {next}
        </Waiting>
      ) : (
        <>
          <Outcome {...props} status={status} />
          {next}
        </>
      )}
      <FullScreenCode
        {...props}
        status={status}
        isOpen={isFullScreen}
        onOpenChange={setFullScreen}
        next={another}
      />
    </div>
  );
}
