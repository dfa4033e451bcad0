'use client';

import { Dialog } from '@base-ui/react/dialog';
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl/react';
import { CheckIcon, CrossIcon } from '#app/_ui/icons.tsx';
import type { InvoiceStatus } from '#server/invoices/types.ts';

type Props = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Takes the focus when the code has gone together with the button that showed it. */
  next: RefObject<HTMLElement | null>;
  invoiceId: string;
  shop: string;
  title: string;
  amount: string;
  status: InvoiceStatus;
};

/** The code as large as the screen, on white in both themes, for a buyer across the counter. */
export function FullScreenCode(props: Props) {
  const { isOpen, onOpenChange, next, invoiceId, shop, title, amount, status } = props;
  const t = useTranslations('dashboard.link');
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Popup
          finalFocus={status === 'PENDING' ? undefined : next}
          className="fixed inset-0 z-30 flex flex-col items-center justify-center gap-4 overflow-y-auto bg-white p-5 text-center text-neutral-950 outline-none print:hidden"
        >
          <Dialog.Close
            aria-label={t('close')}
            className="absolute top-3 right-3 grid size-12 place-items-center rounded-full bg-neutral-100 text-neutral-950 hover:bg-neutral-200"
          >
            <CrossIcon className="size-6" />
          </Dialog.Close>
          <Dialog.Title className="font-semibold text-4xl tabular-nums tracking-tight">
            {amount}
          </Dialog.Title>
          <p className="max-w-md text-lg text-neutral-700 [overflow-wrap:anywhere]">
            <bdi>{shop}</bdi> · <bdi>{title}</bdi>
          </p>
          {status === 'PENDING' ? (
            <>
              <img src={`/pay/${invoiceId}/qr`} alt={t('qr')} className="size-[min(92vw,66dvh)]" />
              <p className="text-lg text-neutral-700">{t('scan')}</p>
            </>
          ) : (
            <div
              className={`grid size-[min(80vw,60dvh)] content-center justify-items-center gap-4 rounded-3xl text-white ${
                status === 'PAID' ? 'bg-green-700' : 'bg-neutral-700'
              }`}
            >
              {status === 'PAID' && <CheckIcon className="size-32" />}
              <p className="font-semibold text-4xl">{t(`statuses.${status}`)}</p>
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
