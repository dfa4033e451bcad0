'use client';

import { useRouter } from 'next/navigation';
import { useId, useRef, useTransition } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from './client.ts';
import { showToast } from './show-toast.ts';

type Client = ReturnType<typeof dashboardClient>;

/** What a press does; each stands for one procedure, so that a server page can name it. */
export type Action =
  | { does: 'endSession'; sessionId: string }
  | { does: 'endOtherSessions' }
  | { does: 'switchMerchant'; merchantId: string }
  | { does: 'cancelInvoice'; invoiceId: string }
  | { does: 'resendCallback'; invoiceId: string }
  | { does: 'deactivateToken'; tokenId: string }
  | { does: 'setMerchantStatus'; merchantId: string; status: 'active' | 'suspended' }
  | { does: 'actFor'; merchantId: string }
  | { does: 'endActing' };

function run(client: Client, action: Action): Promise<unknown> {
  switch (action.does) {
    case 'endSession':
      return client.account.endSession.mutate({ sessionId: action.sessionId });
    case 'endOtherSessions':
      return client.account.endOtherSessions.mutate();
    case 'switchMerchant':
      return client.account.switchMerchant.mutate({ merchantId: action.merchantId });
    case 'cancelInvoice':
      return client.invoices.cancel.mutate({ invoiceId: action.invoiceId });
    case 'resendCallback':
      return client.invoices.resendCallback.mutate({ invoiceId: action.invoiceId });
    case 'deactivateToken':
      return client.developers.deactivateToken.mutate({ tokenId: action.tokenId });
    case 'setMerchantStatus':
      return client.operator.setStatus.mutate({
        merchantId: action.merchantId,
        status: action.status,
      });
    case 'actFor':
      return client.operator.act.mutate({ merchantId: action.merchantId });
    case 'endActing':
      return client.operator.endAct.mutate();
  }
}

/** Says what will happen before it does: for what cannot be undone. */
export type Confirmation = { title: string; text: string; confirm: string; back: string };

/**
 * A button that carries out an action and shows the page as it is then. Success and
 * failure are told by a toast.
 *
 * @param done what to say when it is done; nothing where the page itself says it
 * @param goTo where to go afterwards, instead of showing this page again
 */
export function ActionButton({
  environment,
  action,
  label,
  accessibleLabel,
  confirmation,
  done,
  goTo,
  className = 'button button-plain',
}: {
  environment: Environment;
  action: Action;
  label: string;
  accessibleLabel?: string;
  confirmation?: Confirmation;
  done?: string;
  goTo?: string;
  className?: string;
}) {
  const router = useRouter();
  const [isBusy, startWork] = useTransition();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  const work = () =>
    startWork(async () => {
      try {
        await run(dashboardClient(environment), action);
        if (done) showToast(done);
        if (goTo) router.push(goTo);
        router.refresh();
      } catch (error) {
        showToast(error instanceof Error ? error.message : String(error), 'negative');
      }
      dialog.current?.close();
    });

  return (
    <>
      <button
        type="button"
        className={className}
        disabled={isBusy}
        aria-label={accessibleLabel}
        onClick={() => (confirmation ? dialog.current?.showModal() : work())}
      >
        {label}
      </button>
      {confirmation && (
        <dialog
          ref={dialog}
          aria-labelledby={titleId}
          className="card m-auto w-full max-w-md p-6 text-ink backdrop:bg-black/50"
        >
          <h2 id={titleId} className="font-semibold text-lg">
            {confirmation.title}
          </h2>
          <p className="mt-2 text-muted">{confirmation.text}</p>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <button
              type="button"
              className="button button-plain"
              onClick={() => dialog.current?.close()}
            >
              {confirmation.back}
            </button>
            <button
              type="button"
              className="button button-primary"
              disabled={isBusy}
              onClick={work}
            >
              {confirmation.confirm}
            </button>
          </div>
        </dialog>
      )}
    </>
  );
}
